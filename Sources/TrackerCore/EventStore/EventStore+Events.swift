extension EventStore {
    /// Which events of a namespace are dropped.
    enum DropDecision {
        case drop
        case keep
        /// Neither this event nor a later one is dropped.
        case stop
    }

    /// How many events are read at a time whose payloads are wanted.
    private static let stepLimit = EventAmount(events: 1000, bytes: 4 << 20)
    /// How often all events are looked at that are stamped in the future.
    private static let futureInterval = Duration.seconds(3600)

    /// The unsent events of a namespace.
    package func amount(of index: Int) -> EventAmount { partitions[index].queue.amount }

    /// The most bytes of unsent events of a namespace for which there is room: while no file takes events, the bytes that it
    /// has and an equal part of the free memory, which all namespaces share.
    package func availableBytes(for index: Int) -> Int {
        guard log.slot == nil || log.pool.growthFailure != nil else { return .max }
        let inMemory = partitions.reduce(0) { $0 + $1.inMemory.bytes }
        return partitions[index].queue.amount.bytes + max(0, maxMemoryBytes - inMemory) / partitions.count
    }

    /// When the oldest event of a namespace was tracked, in milliseconds since 1970; nil without events.
    package func oldestTime(of index: Int) -> Int64? {
        var oldest: Int64?
        partitions[index].queue.forEach { _, place in
            oldest = time(of: place)
            return false
        }
        return oldest
    }

    private func time(of place: Place) -> Int64? {
        var time: Int64?
        log.read([place]) { _, reading in
            if case .record(let record) = reading { time = record.time }
        }
        return time
    }

    /// Which events are loaded.
    package enum Choice: Sendable {
        /// The oldest within a limit; a first event is loaded however large it is.
        case oldest(EventAmount)
        /// The one with an id.
        case single(Int64)
        /// The newest one but so many, or the last before them.
        case newest(skipping: Int)
    }

    /// Loads events of a namespace. Nothing but ``remove(_:of:)`` removes them until ``release(_:)``. Damaged ones are removed and
    /// counted.
    /// - Parameters:
    ///   - index: The namespace.
    ///   - choice: Which events.
    ///   - excluded: The ids of events to pass over.
    /// - Returns: The events.
    package func load(_ index: Int, _ choice: Choice, except excluded: Set<Int64> = []) -> Loaded {
        while true {
            var (ids, places): ([Int64], [Place]) = ([], [])
            var isLimited = false
            switch choice {
            case .oldest(let limit):
                var amount = EventAmount.zero
                partitions[index].queue.forEach { id, place in
                    if !excluded.isEmpty, excluded.contains(id) { return true }
                    amount += place.amount
                    isLimited = !ids.isEmpty && !limit.covers(amount)
                    if isLimited { return false }
                    ids.append(id)
                    places.append(place)
                    return true
                }
            case .single(let id):
                let place = partitions[index].queue[id]
                if place != .none { (ids, places) = ([id], [place]) }
            case .newest(var skipped):
                partitions[index].queue.forEachNewest { id, place in
                    if excluded.contains(id) { return true }
                    (ids, places) = ([id], [place])
                    skipped -= 1
                    return skipped >= 0
                }
            }
            var (events, damaged): ([StoredEvent], [Int64]) = ([], [])
            var failure: EventStoreError?
            events.reserveCapacity(ids.count)
            log.read(places) { position, reading in
                switch reading {
                case .record(let record): events.append(StoredEvent(ids[position], record))
                case .damaged: damaged.append(ids[position])
                case .failed(let error): failure = error
                }
            }
            if let failure {
                lines.error("unsent events of \(partitions[index].namespace.excerpt) cannot be read: \(failure.reason)")
                return .failed
            }
            lose(damaged, of: index)
            // Damaged ones are gone by now.
            if events.isEmpty, !damaged.isEmpty { continue }
            partitions[index].lastLoaded = ids.last ?? 0
            return .events(events, isLimited: isLimited || !damaged.isEmpty)
        }
    }

    /// Calls `body` with each event of a namespace that can be read, the oldest first, and whether it outlives the process.
    package func forEachEvent(of index: Int, _ body: (StoredEvent, _ isDurable: Bool) -> Void) {
        var (ids, places): ([Int64], [Place]) = ([], [])
        partitions[index].queue.forEach { id, place in
            ids.append(id)
            places.append(place)
            return true
        }
        log.read(places) { position, reading in
            if case .record(let record) = reading {
                body(StoredEvent(ids[position], record), log.isDurable(places[position]))
            }
        }
    }

    /// Lets all events of a namespace be removed again, because none is being sent.
    package func release(_ index: Int) {
        partitions[index].lastLoaded = 0
    }

    /// Removes loaded events that are done with.
    package func remove(_ events: [StoredEvent], of index: Int) {
        finish(events.map(\.id), of: index)
    }

    // MARK: Bounds

    /// Removes events of a namespace that are too old, at most once a second, and of the oldest those that are too many; never
    /// loaded ones.
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
        drop(of: index, .storeFull, Self.boundDetail) { _, place in
            guard surplus != .zero else { return .stop }
            surplus -= place.amount
            return .drop
        }
    }

    private static let boundDetail = "the oldest unsent events were removed to stay within the limit"

    /// The last event that is too old; nil if none is.
    ///
    /// Events come in the order of their time, so that the search ends at the first that is young enough. One that is stamped in the
    /// future, as by a clock that was put right since, is as old as those behind it.
    private func lastExpired(of index: Int, trackedBefore limit: Int64) -> Int64? {
        let now = time.wallTime
        if time.uptime - partitions[index].future.checked > Self.futureInterval {
            partitions[index].future = (0, time.uptime)
        }
        var (last, future): (Int64?, Int64?) = (nil, nil)
        let first = max(partitions[index].lastLoaded, partitions[index].future.last) + 1
        partitions[index].queue.forEach(from: first) { id, place in
            guard let time = time(of: place) else { return true }
            if time < limit { last = id }
            if time > now { future = id }
            return time < limit || time > now
        }
        if let future { partitions[index].future.last = future }
        return last
    }

    /// Keeps the events in memory within the bound of the process: the oldest of the namespace that has most there give way.
    func enforceMemoryBound() {
        var surplus = partitions.reduce(0) { $0 + $1.inMemory.bytes } - maxMemoryBytes
        guard surplus > 0 else { return }
        // What is being sent stays, so that the largest may not be enough.
        for index in partitions.indices.sorted(by: { partitions[$0].inMemory.bytes > partitions[$1].inMemory.bytes })
        where surplus > 0 {
            drop(of: index, .storeFull, "the process may keep \(maxMemoryBytes) bytes of events in memory") {
                _, place in
                guard surplus > 0 else { return .stop }
                guard !log.isDurable(place) else { return .keep }
                surplus -= place.size
                return .drop
            }
        }
    }

    /// Removes all events of a namespace but those that are loaded.
    /// - Returns: The number of events that were removed.
    func clear(_ index: Int) -> Int {
        drop(of: index, .cleared, Self.boundDetail) { _, _ in .drop }
    }

    /// The namespaces that have events.
    func namespaces() -> Set<String> {
        Set(partitions.filter { $0.queue.amount.events > 0 }.map(\.namespace))
    }

    // MARK: Drops

    /// Removes loaded events that are never sent. They are kept as dead letters and passed on, if that is wanted.
    package func drop(_ events: [StoredEvent], of index: Int, _ reason: DropReason) {
        passOn(events, of: index, reason)
        remove(events, of: index)
    }

    private func passOn(_ events: [StoredEvent], of index: Int, _ reason: DropReason) {
        guard wantsPayloads(index, reason), !events.isEmpty else { return }
        keepLetters(events, of: index, reason)
        if let recipient = partitions[index].recipient, recipient.isOpen() { recipient.receive(events, reason) }
    }

    /// Whether the payloads of a namespace's dropped events are wanted.
    private func wantsPayloads(_ index: Int, _ reason: DropReason) -> Bool {
        reason.isReported && (deadLetters != nil || partitions[index].recipient?.isOpen() == true)
    }

    /// Drops the oldest events of a namespace, never loaded ones.
    /// - Parameters:
    ///   - index: The namespace.
    ///   - reason: Why.
    ///   - detail: What happened, for the log.
    ///   - decide: Decides of each event, from the oldest on.
    /// - Returns: The number of events.
    @discardableResult
    func drop(
        of index: Int, _ reason: DropReason, _ detail: String, _ decide: (Int64, Place) -> DropDecision
    ) -> Int {
        var (ids, places): ([Int64], [Place]) = ([], [])
        partitions[index].queue.forEach(from: partitions[index].lastLoaded + 1) { id, place in
            let decision = decide(id, place)
            if decision == .drop {
                ids.append(id)
                places.append(place)
            }
            return decision != .stop
        }
        guard !ids.isEmpty else { return 0 }
        if wantsPayloads(index, reason) { passOn(ids, places, of: index, reason) }
        finish(ids, of: index)
        note(.lost(ids.count, reason, detail: detail), of: partitions[index].namespace)
        return ids.count
    }

    /// Passes events on step by step, because their payloads may be more than the memory has room for.
    private func passOn(_ ids: [Int64], _ places: [Place], of index: Int, _ reason: DropReason) {
        var first = 0
        while first < ids.count {
            var (end, amount) = (first, EventAmount.zero)
            while end < ids.count, end == first || Self.stepLimit.covers(amount + places[end].amount) {
                amount += places[end].amount
                end += 1
            }
            var events: [StoredEvent] = []
            log.read(Array(places[first..<end])) { position, reading in
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
