/// A store that ends with the process, for a service without a disk and for a disk that is full.
package final class MemoryEventStore: EventStore {
    /// Events leave at the front and come at the end; places at the front are released now and then, not each time.
    private struct Queue {
        private var chunks: [EventChunk] = []
        /// The index of the first chunk; those from it on have events.
        private var head = 0
        private(set) var amount = EventAmount.zero

        /// The oldest event; nil without events.
        var first: EventChunk.Row? { head < chunks.count ? chunks[head].first : nil }

        /// The chunks that may have events from an id on.
        private func chunks(from id: Int64) -> ArraySlice<EventChunk> {
            var (low, high) = (head, chunks.count)
            while low < high {
                let middle = (low + high) / 2
                if chunks[middle].lastID < id { low = middle + 1 } else { high = middle }
            }
            return chunks[low...]
        }

        /// The lowest id that is not below another one; nil if there is none.
        func firstID(from id: Int64) -> Int64? {
            for chunk in chunks(from: id) {
                if let found = chunk.firstID(from: id) { return found }
            }
            return nil
        }

        func count(in ids: ClosedRange<Int64>) -> Int {
            chunks(from: ids.lowerBound).reduce(0) { $0 + $1.count(in: ids) }
        }

        mutating func append(_ payload: UnsafeRawBufferPointer, id: Int64, isAnonymous: Bool, time: Int64) {
            let last = chunks.count - 1
            if last < head || !chunks[last].hasRoom(for: payload.count, id: id) {
                // Many namespaces with few events each must not reserve a whole chunk each.
                var capacity = payload.count
                if last >= head {
                    chunks[last].trim()
                    capacity = max(capacity, EventChunk.maxSize)
                }
                chunks.append(EventChunk(firstID: id, capacity: capacity))
            }
            chunks[chunks.count - 1].append(payload, id: id, isAnonymous: isAnonymous, time: time)
            amount += EventAmount(events: 1, bytes: payload.count)
        }

        /// Calls `body` with each event and its payload, the oldest first, for as long as it returns true; with some before
        /// an id too.
        func forEach(from id: Int64 = .min, while body: (EventChunk.Row, UnsafeRawBufferPointer) -> Bool) {
            for chunk in chunks(from: id) {
                guard chunk.forEach(while: body) else { return }
            }
        }

        /// Removes from the front, without a look at what is beyond.
        mutating func remove(
            until isBeyond: (EventChunk.Row) -> Bool, where isGone: (EventChunk.Row) -> Bool
        ) -> EventAmount {
            var removed = EventAmount.zero
            var (end, hasEnded) = (head, false)
            while end < chunks.count, !hasEnded {
                hasEnded = chunks[end].remove(until: isBeyond, where: isGone, &removed)
                end += 1
            }
            amount -= removed
            removeEmptyChunks(before: end)
            return removed
        }

        private mutating func removeEmptyChunks(before end: Int) {
            let kept = chunks[head..<end].filter { !$0.isEmpty }
            let first = end - kept.count
            guard first > head else { return }
            for index in head..<first { chunks[index] = EventChunk(firstID: 0, capacity: 0) }
            for (offset, chunk) in kept.enumerated() { chunks[first + offset] = chunk }
            head = first
            // Fewer are moved than have left since the last time.
            if head > chunks.count - head {
                chunks = Array(chunks[head...])
                head = 0
            }
        }
    }

    private var keys: [ExactText: Int64] = [:]
    private var queues: [Int64: Queue] = [:]
    private var nextID: Int64
    /// The bytes of all events.
    private(set) var bytes = 0
    /// How often events were removed.
    private(set) var removals = 0

    /// Creates an empty store.
    /// - Parameter firstID: The id of the first event.
    package init(firstID: Int64 = 1) {
        nextID = firstID
    }

    /// The id of the event that came last.
    var lastID: Int64 { nextID - 1 }

    /// Whether there are events with ids of a range.
    func hasEvents(in ids: ClosedRange<Int64>) -> Bool {
        queues.values.contains { queue in queue.firstID(from: ids.lowerBound).map(ids.contains) ?? false }
    }

    /// The number of events with ids of a range.
    func count(in ids: ClosedRange<Int64>) -> Int {
        queues.values.reduce(0) { $0 + $1.count(in: ids) }
    }

    package func key(of namespace: String) -> Int64 {
        if let key = keys[exactly: namespace] { return key }
        let key = Int64(keys.count)
        keys[exactly: namespace] = key
        return key
    }

    package func append(_ batch: EventBatch, keys: (Int) -> Int64, isSynced: Bool) {
        batch.forEach { row, payload in
            queues[keys(row.namespace), default: Queue()].append(
                payload, id: nextID, isAnonymous: row.isAnonymous, time: row.time)
            nextID += 1
            bytes += payload.count
        }
    }

    package func events(
        of key: Int64, from id: Int64, limit: EventAmount, except excluded: Set<Int64>
    ) -> StoredEvents {
        var result = StoredEvents()
        var amount = EventAmount.zero
        queues[key]?.forEach(from: id) { row, payload in
            if row.id < id || !excluded.isEmpty && excluded.contains(row.id) { return true }
            let next = amount + EventAmount(events: 1, bytes: row.size)
            if next.events > limit.events || !result.events.isEmpty && next.bytes > limit.bytes {
                result.isLimited = true
                return false
            }
            amount = next
            result.events.append(StoredEvent(row, payload))
            return true
        }
        return result
    }

    package func remove(_ ids: [Int64], of key: Int64) -> Int {
        guard let last = ids.max() else { return 0 }
        let gone = Set(ids)
        return remove(of: key, until: { $0.id > last }, where: { gone.contains($0.id) }).events
    }

    package func amount(of key: Int64) -> EventAmount {
        queues[key]?.amount ?? .zero
    }

    package func removeOldest(_ amount: EventAmount, of key: Int64, after id: Int64) -> EventAmount {
        var removed = EventAmount.zero
        return remove(
            of: key, until: { _ in removed.covers(amount) },
            where: { row in
                guard row.id > id else { return false }
                removed += EventAmount(events: 1, bytes: row.size)
                return true
            })
    }

    package func removeEvents(of key: Int64, after id: Int64, trackedBefore time: Int64) -> EventAmount {
        // Events come in the order of their time, so the first that is young enough ends the search.
        remove(of: key, until: { $0.time >= time }, where: { $0.id > id })
    }

    package func events(
        of key: Int64, after id: Int64, trackedBefore time: Int64, limit: EventAmount
    ) -> [StoredEvent] {
        var events: [StoredEvent] = []
        var amount = EventAmount.zero
        queues[key]?.forEach(while: { row, payload in
            guard row.id > id else { return true }
            amount += EventAmount(events: 1, bytes: row.size)
            guard row.time < time, events.isEmpty || limit.covers(amount) else { return false }
            events.append(StoredEvent(row, payload))
            return true
        })
        return events
    }

    package func oldestTime(of key: Int64) -> Int64? {
        queues[key]?.first?.time
    }

    package func namespaces() -> [String] {
        keys.filter { amount(of: $0.value).events > 0 }.map(\.key.text)
    }

    /// Adds all events of a namespace to a batch, to be stored elsewhere under the namespace's index.
    func append(_ key: Int64, to batch: inout EventBatch, namespace: Int) {
        queues[key]?.forEach(while: { row, payload in
            batch.append(payload, namespace: namespace, isAnonymous: row.isAnonymous, time: row.time)
            return true
        })
    }

    /// Removes all events of a namespace.
    func removeAll(of key: Int64) {
        bytes -= amount(of: key).bytes
        queues[key] = nil
        removals += 1
    }

    private func remove(
        of key: Int64, until isBeyond: (EventChunk.Row) -> Bool, where isGone: (EventChunk.Row) -> Bool
    ) -> EventAmount {
        removals += 1
        let removed = queues[key]?.remove(until: isBeyond, where: isGone) ?? .zero
        bytes -= removed.bytes
        return removed
    }
}

extension StoredEvent {
    fileprivate init(_ row: EventChunk.Row, _ payload: UnsafeRawBufferPointer) {
        self.init(id: row.id, isAnonymous: row.isAnonymous, payload: Array(payload))
    }
}
