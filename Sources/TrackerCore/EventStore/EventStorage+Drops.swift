extension EventStorage {
    /// Which events of a namespace are dropped.
    enum DropSelection {
        /// Those that were tracked before a time, in milliseconds since 1970.
        case trackedBefore(Int64)
        /// Of the oldest as many as are beyond an amount.
        case beyond(EventAmount)
    }

    /// How many events are read at a time whose payloads are wanted.
    private static let stepLimit = EventAmount(events: 1000, bytes: 4 << 20)

    /// Whether the payloads of a namespace's dropped events are wanted.
    private func wantsPayloads(_ index: Int, _ reason: DropReason) -> Bool {
        reason.isReported && (deadLetters != nil || partitions[index].recipient?.isOpen() == true)
    }

    /// Removes loaded events that are never sent. They are kept as dead letters and passed on, if that is wanted.
    package func drop(_ events: [StoredEvent], of index: Int, _ reason: DropReason) {
        if wantsPayloads(index, reason) { keep(events, of: index, reason) }
        remove(events, of: index)
        pass(events, of: index, reason)
    }

    /// Keeps events as dead letters and passes them on that are in no store any more.
    func report(_ events: [StoredEvent], of namespace: String, _ reason: DropReason) {
        let readable = reason == .damaged ? events.filter { $0.members != nil } : events
        guard !readable.isEmpty, let index = partitions.firstIndex(where: { $0.namespace.isExactly(namespace) }),
            wantsPayloads(index, reason)
        else { return }
        keep(readable, of: index, reason)
        pass(readable, of: index, reason)
    }

    private func pass(_ events: [StoredEvent], of index: Int, _ reason: DropReason) {
        guard reason.isReported, let recipient = partitions[index].recipient, recipient.isOpen() else { return }
        recipient.receive(events, reason)
    }

    private func keep(_ events: [StoredEvent], of index: Int, _ reason: DropReason) {
        guard let deadLetters else { return }
        let now = time.wallTime
        do throws(EventStoreError) {
            let letters = events.map { DeadLetter($0, of: partitions[index].namespace, reason, at: now) }
            try keepLetters(letters, within: deadLetters)
        } catch {
            partitions[index].recipient?.notKept(events.count, error.reason)
        }
    }

    /// Drops unsent events of a namespace, never loaded ones.
    /// - Returns: The number of events.
    @discardableResult
    func drop(_ selection: DropSelection, of index: Int, _ reason: DropReason) -> Int {
        removeUnremoved(index)
        if mayDropUncounted(selection, of: index) { countAll(index) }
        let partition = partitions[index]
        var count = 0
        // While sent events are left on disk, one of them could be removed there and counted a second time.
        if let disk, let key = partition.key, !hasUnremoved(index), mayBeOnDisk(index) {
            count += drop(selection, of: index, reason, from: disk, key)
        }
        count += drop(selection, of: index, reason, from: memory, partition.memoryKey)
        if count > 0 {
            let detail = "the oldest unsent events were removed to stay within the limit"
            note(.lost(count, reason, detail: detail), of: partition.namespace)
        }
        return count
    }

    private func drop(
        _ selection: DropSelection, of index: Int, _ reason: DropReason, from store: any EventStore, _ key: Int64
    ) -> Int {
        var count = 0
        do throws(EventStoreError) {
            if wantsPayloads(index, reason) {
                try collect(selection, of: index, reason, from: store, key, &count)
            } else {
                count += try remove(selection, of: index, from: store, key)
            }
        } catch {
            // A full disk has no room for a removal either; the memory's bound is kept all the same.
            log.error("the bounds of \(partitions[index].namespace.excerpt) could not be kept: \(error.reason)")
        }
        return count
    }

    /// Keeps the events in memory within the bound of the process: the oldest of the namespace that has most there give way.
    func enforceMemoryBound() {
        guard memory.bytes > maxMemoryBytes else { return }
        let bytes = partitions.map { memory.amount(of: $0.memoryKey).bytes }
        // What is being sent stays, so that the largest may not be enough.
        for index in partitions.indices.sorted(by: { bytes[$0] > bytes[$1] }) where memory.bytes > maxMemoryBytes {
            let surplus = EventAmount(events: 0, bytes: memory.bytes - maxMemoryBytes)
            let selection = DropSelection.beyond(partitions[index].amount - surplus)
            let count = drop(selection, of: index, .storeFull, from: memory, partitions[index].memoryKey)
            guard count > 0 else { continue }
            let detail = "the process may keep \(maxMemoryBytes) bytes of events in memory"
            note(.lost(count, .storeFull, detail: detail), of: partitions[index].namespace)
        }
    }

    /// Whether events that are not counted yet may be among those to drop.
    private func mayDropUncounted(_ selection: DropSelection, of index: Int) -> Bool {
        guard partitions[index].uncounted != nil else { return false }
        guard case .trackedBefore = selection, let disk, let key = partitions[index].key else { return true }
        // By the event that is dropped first, because loaded ones before it stay. What cannot be read is logged where it is counted.
        let first = try? oldest(selection, of: index, in: disk, key, limit: EventAmount(events: 1, bytes: .max))
        return first?.isEmpty != true
    }

    private func remove(
        _ selection: DropSelection, of index: Int, from store: any EventStore, _ key: Int64
    ) throws(EventStoreError) -> Int {
        let last = lastLoaded(of: index, in: store)
        let removed =
            switch selection {
            case .trackedBefore(let time): try store.removeEvents(of: key, after: last, trackedBefore: time)
            case .beyond(let maximum): try store.removeOldest(partitions[index].amount - maximum, of: key, after: last)
            }
        partitions[index].amount -= removed
        return removed.events
    }

    /// Removes events step by step, because their payloads may be more than the memory has room for.
    private func collect(
        _ selection: DropSelection, of index: Int, _ reason: DropReason, from store: any EventStore, _ key: Int64,
        _ count: inout Int
    ) throws(EventStoreError) {
        while true {
            let events = try oldest(selection, of: index, in: store, key)
            guard !events.isEmpty else { return }
            // A damaged row must not come back among good ones.
            keep(events.filter { $0.members != nil }, of: index, reason)
            _ = try store.remove(events.map(\.id), of: key)
            partitions[index].amount -= events.reduce(.zero) { $0 + EventAmount($1) }
            count += events.count
            pass(events, of: index, reason)
        }
    }

    /// The last of the events in one of the stores that were loaded and not released yet.
    private func lastLoaded(of index: Int, in store: any EventStore) -> Int64 {
        store === memory ? partitions[index].lastLoaded.memory : partitions[index].lastLoaded.disk
    }

    private func oldest(
        _ selection: DropSelection, of index: Int, in store: any EventStore, _ key: Int64,
        limit: EventAmount = EventStorage.stepLimit
    ) throws(EventStoreError) -> [StoredEvent] {
        let last = lastLoaded(of: index, in: store)
        switch selection {
        case .trackedBefore(let time):
            return try store.events(of: key, after: last, trackedBefore: time, limit: limit)
        case .beyond(let maximum):
            let surplus = partitions[index].amount - maximum
            guard surplus != .zero else { return [] }
            var amount = EventAmount.zero
            return try store.events(of: key, after: last, trackedBefore: .max, limit: Self.stepLimit).prefix { event in
                defer { amount += EventAmount(event) }
                return !amount.covers(surplus)
            }
        }
    }

    /// Drops what is in memory only, at the end.
    func dropMemory(of index: Int) {
        let left = memory.amount(of: partitions[index].memoryKey)
        guard left.events > 0 else { return }
        partitions[index].lastLoaded.memory = 0
        if wantsPayloads(index, .notStored) {
            // A store in memory does not fail.
            var count = 0
            try? collect(
                .trackedBefore(.max), of: index, .notStored, from: memory, partitions[index].memoryKey, &count)
        } else {
            memory.removeAll(of: partitions[index].memoryKey)
            partitions[index].amount -= left
        }
        note(
            .lost(left.events, .notStored, detail: "they were in memory only when the SDK was shut down"),
            of: partitions[index].namespace)
    }
}
