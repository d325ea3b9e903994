extension EventStore {
    /// The decision about an event of a namespace.
    enum DropDecision {
        case drop
        case keep
        /// Neither this event nor a later one is dropped.
        case stop
    }

    /// The maximum amount of events whose payloads are read at a time.
    private static let stepLimit = EventAmount(events: 1000, bytes: 4 << 20)
    /// The interval between checks of events with time stamps in the future.
    private static let futureInterval = Duration.seconds(3600)

    /// The unsent events of a namespace.
    package func amount(of index: Int) -> EventAmount { partitions[index].queue.amount }

    /// The maximum size of unsent events of a namespace, in bytes. While no file takes events, it is the present size
    /// and an equal share of the free memory of all namespaces.
    package func availableBytes(for index: Int) -> Int {
        guard eventLog.slot == nil || eventLog.pool.growthFailure != nil else { return .max }
        let inMemory = partitions.reduce(0) { $0 + $1.inMemory.bytes }
        return partitions[index].queue.amount.bytes + max(0, maxMemoryBytes - inMemory) / partitions.count
    }

    /// The time at which the oldest event of a namespace was tracked, in milliseconds since 1970; nil without events.
    package func oldestTime(of index: Int) -> Int64? {
        var oldest: Int64?
        partitions[index].queue.forEach { _, address in
            oldest = time(of: address)
            return false
        }
        return oldest
    }

    private func time(of address: RecordAddress) -> Int64? {
        var time: Int64?
        eventLog.read([address]) { _, reading in
            if case .record(let record) = reading { time = record.time }
        }
        return time
    }

    /// The events to load.
    package enum Choice: Sendable {
        /// The oldest events within a limit; the first event is loaded even if it exceeds the limit.
        case oldest(EventAmount)
        /// The event with an id.
        case single(Int64)
        /// The event before a number of newest ones; the oldest one if there are fewer.
        case newest(skipping: Int)
    }

    /// Loads events of a namespace. Until ``endLoad(_:)``, only ``remove(_:of:)`` removes them. Damaged events are
    /// removed and counted.
    /// - Parameters:
    ///   - index: The namespace.
    ///   - choice: The events to load.
    ///   - excluded: The ids of events to skip.
    /// - Returns: The events, the oldest first, and whether the limit left out more; nil if they cannot be read.
    package func load(
        _ index: Int, _ choice: Choice, except excluded: Set<Int64> = []
    ) -> (events: [StoredEvent], isLimited: Bool)? {
        while true {
            var (ids, addresses): ([Int64], [RecordAddress]) = ([], [])
            var isLimited = false
            switch choice {
            case .oldest(let limit):
                var amount = EventAmount.zero
                partitions[index].queue.forEach { id, address in
                    if !excluded.isEmpty, excluded.contains(id) { return true }
                    amount += address.amount
                    isLimited = !ids.isEmpty && !limit.covers(amount)
                    if isLimited { return false }
                    ids.append(id)
                    addresses.append(address)
                    return true
                }
            case .single(let id):
                let address = partitions[index].queue[id]
                if address != .none { (ids, addresses) = ([id], [address]) }
            case .newest(var skipped):
                partitions[index].queue.forEachNewest { id, address in
                    if excluded.contains(id) { return true }
                    (ids, addresses) = ([id], [address])
                    skipped -= 1
                    return skipped >= 0
                }
            }
            var (events, damaged): ([StoredEvent], [Int64]) = ([], [])
            var failure: EventStoreError?
            events.reserveCapacity(ids.count)
            eventLog.read(addresses) { position, reading in
                switch reading {
                case .record(let record): events.append(StoredEvent(ids[position], record))
                case .damaged: damaged.append(ids[position])
                case .failed(let error): failure = error
                }
            }
            if let failure {
                log.error("unsent events of \(partitions[index].namespace.excerpt) cannot be read: \(failure.reason)")
                return nil
            }
            lose(damaged, of: index)
            // The damaged events are removed by now.
            if events.isEmpty, !damaged.isEmpty { continue }
            partitions[index].lastLoaded = ids.last ?? 0
            return (events, isLimited || !damaged.isEmpty)
        }
    }

    /// Calls `body` with each readable event of a namespace, the oldest first, and whether it outlives the process.
    package func forEachEvent(of index: Int, _ body: (StoredEvent, _ isDurable: Bool) -> Void) {
        var (ids, addresses): ([Int64], [RecordAddress]) = ([], [])
        partitions[index].queue.forEach { id, address in
            ids.append(id)
            addresses.append(address)
            return true
        }
        eventLog.read(addresses) { position, reading in
            if case .record(let record) = reading {
                body(StoredEvent(ids[position], record), eventLog.isDurable(addresses[position]))
            }
        }
    }

    /// Completes a load, so that all events of a namespace may be removed again.
    package func endLoad(_ index: Int) {
        partitions[index].lastLoaded = 0
    }

    // MARK: Bounds

    /// Removes events of a namespace that are too old, at most once a second, and the oldest events beyond the maximum
    /// number; never loaded events.
    package func enforceBounds(_ index: Int, by settings: EmitterConfiguration) {
        let uptime = time.uptime
        if let age = settings.maxEventStoreAge, partitions[index].lastExpiry.map({ uptime - $0 >= .seconds(1) }) ?? true
        {
            partitions[index].lastExpiry = uptime
            if let last = lastExpired(of: index, trackedBefore: time.wallTime - age.components.seconds * 1000) {
                drop(of: index, .expired, Self.boundDetail) { id, _ in id <= last ? .drop : .stop }
            }
        }
        let maximum = EventAmount(
            events: settings.maxEventStoreSize ?? .max, bytes: settings.maxEventStoreBytes ?? .max)
        guard !maximum.covers(partitions[index].queue.amount) else { return }
        var surplus = partitions[index].queue.amount - maximum
        drop(of: index, .storeFull, Self.boundDetail) { _, address in
            guard surplus != .zero else { return .stop }
            surplus -= address.amount
            return .drop
        }
    }

    private static let boundDetail = "the oldest unsent events were removed to stay within the limit"

    /// Returns the last expired event; nil if none is expired.
    ///
    /// Events are in the order of their time, so the search ends at the first event that is not expired. An event with
    /// a time stamp in the future, for example because the clock was corrected, counts as old as the events behind it.
    private func lastExpired(of index: Int, trackedBefore limit: Int64) -> Int64? {
        let now = time.wallTime
        if time.uptime - partitions[index].future.checked > Self.futureInterval {
            partitions[index].future = (0, time.uptime)
        }
        var (last, future): (Int64?, Int64?) = (nil, nil)
        let first = max(partitions[index].lastLoaded, partitions[index].future.last) + 1
        partitions[index].queue.forEach(from: first) { id, address in
            guard let time = time(of: address) else { return true }
            if time < limit { last = id }
            if time > now { future = id }
            return time < limit || time > now
        }
        if let future { partitions[index].future.last = future }
        return last
    }

    /// Enforces the memory bound of the process: drops the oldest events of the namespace with most bytes in memory.
    func enforceMemoryBound() {
        var surplus = partitions.reduce(0) { $0 + $1.inMemory.bytes } - maxMemoryBytes
        guard surplus > 0 else { return }
        // Loaded events stay, so that the largest namespace may not be enough.
        for index in partitions.indices.sorted(by: { partitions[$0].inMemory.bytes > partitions[$1].inMemory.bytes })
        where surplus > 0 {
            drop(of: index, .storeFull, "the process may keep \(maxMemoryBytes) bytes of events in memory") {
                _, address in
                guard surplus > 0 else { return .stop }
                guard !eventLog.isDurable(address) else { return .keep }
                surplus -= address.size
                return .drop
            }
        }
    }

    /// Removes all events of a namespace except the loaded ones.
    /// - Returns: The number of removed events.
    func clear(_ index: Int) -> Int {
        drop(of: index, .cleared, Self.boundDetail) { _, _ in .drop }
    }

    /// The namespaces that have events.
    func namespaces() -> Set<String> {
        Set(partitions.filter { $0.queue.amount.events > 0 }.map(\.namespace))
    }

    // MARK: Drops

    /// Removes loaded events that are never sent; keeps them as dead letters and passes them on, if requested.
    package func drop(_ events: [StoredEvent], of index: Int, _ reason: DropReason) {
        passOn(events, of: index, reason)
        remove(events.map(\.id), of: index)
    }

    private func passOn(_ events: [StoredEvent], of index: Int, _ reason: DropReason) {
        guard wantsPayloads(index, reason), !events.isEmpty else { return }
        keepLetters(events, of: index, reason)
        if let recipient = partitions[index].recipient, recipient.isOpen() { recipient.receive(events, reason) }
    }

    /// Whether the payloads of a namespace's dropped events are needed.
    private func wantsPayloads(_ index: Int, _ reason: DropReason) -> Bool {
        reason.isReported && (deadLetters != nil || partitions[index].recipient?.isOpen() == true)
    }

    /// Drops the oldest events of a namespace, never loaded ones.
    /// - Parameters:
    ///   - index: The namespace.
    ///   - reason: The reason.
    ///   - detail: The circumstances, for the log.
    ///   - decide: Decides about each event, the oldest first.
    /// - Returns: The number of events.
    @discardableResult
    func drop(
        of index: Int, _ reason: DropReason, _ detail: String, _ decide: (Int64, RecordAddress) -> DropDecision
    ) -> Int {
        var (ids, addresses): ([Int64], [RecordAddress]) = ([], [])
        partitions[index].queue.forEach(from: partitions[index].lastLoaded + 1) { id, address in
            let decision = decide(id, address)
            if decision == .drop {
                ids.append(id)
                addresses.append(address)
            }
            return decision != .stop
        }
        guard !ids.isEmpty else { return 0 }
        if wantsPayloads(index, reason) { passOn(ids, addresses, of: index, reason) }
        remove(ids, of: index)
        note(.lost(ids.count, reason, detail: detail), of: partitions[index].namespace)
        return ids.count
    }

    /// Passes events on in steps, because their payloads may exceed the memory.
    private func passOn(_ ids: [Int64], _ addresses: [RecordAddress], of index: Int, _ reason: DropReason) {
        var first = 0
        while first < ids.count {
            var (end, amount) = (first, EventAmount.zero)
            while end < ids.count, end == first || Self.stepLimit.covers(amount + addresses[end].amount) {
                amount += addresses[end].amount
                end += 1
            }
            var events: [StoredEvent] = []
            eventLog.read(Array(addresses[first..<end])) { position, reading in
                if case .record(let record) = reading { events.append(StoredEvent(ids[first + position], record)) }
            }
            passOn(events, of: index, reason)
            first = end
        }
    }
}

extension StoredEvent {
    fileprivate init(_ id: Int64, _ record: EventRecord) {
        self.init(id: id, isAnonymous: record.isAnonymous, payload: Array(record.payload))
    }
}
