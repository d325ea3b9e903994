/// A store that ends with the process: events wait in it until they are sent, or are moved to the disk.
package final class MemoryEventStore: EventStore {
    /// Events leave at the front and come at the end; places at the front are released now and then, not each time.
    private struct Queue {
        private var chunks: [EventChunk] = []
        /// The index of the first chunk; those from it on have events.
        private var head = 0
        private(set) var amount = EventAmount.zero
        /// How many of the events have a record in the staging file.
        private(set) var heldCount = 0

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

        mutating func append(_ payload: UnsafeRawBufferPointer, _ row: EventBatch.Row, id: Int64) {
            let last = chunks.count - 1
            if last < head || !chunks[last].hasRoom(for: row, id: id) {
                // Many namespaces with few events each must not reserve a whole chunk each.
                var capacity = payload.count
                if last >= head {
                    chunks[last].trim()
                    capacity = max(capacity, EventChunk.maxSize)
                }
                chunks.append(EventChunk(firstID: id, capacity: capacity))
            }
            chunks[chunks.count - 1].append(payload, row, id: id)
            amount += EventAmount(events: 1, bytes: payload.count)
            if row.record != nil { heldCount += 1 }
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
        ) -> EventChunk.Removal {
            var removed = EventChunk.Removal()
            var (end, hasEnded) = (head, false)
            while end < chunks.count, !hasEnded {
                hasEnded = chunks[end].remove(until: isBeyond, where: isGone, &removed)
                end += 1
            }
            amount -= removed.amount
            heldCount -= removed.records.count
            removeEmptyChunks(before: end)
            return removed
        }

        /// Forgets the records.
        mutating func forgetRecords() {
            for index in chunks.indices { chunks[index].forgetRecords() }
            heldCount = 0
        }

        /// Removes the events whose records are held.
        mutating func removeHeld() {
            let kept = chunks[head...].filter { !$0.isHeld }
            amount -= chunks[head...].filter(\.isHeld).reduce(.zero) { $0 + $1.amount }
            (chunks, head, heldCount) = (kept, 0, 0)
        }

        /// How many of the events have no record.
        var unheldCount: Int { amount.events - heldCount }

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
    private var nextKey: Int64 = 0
    /// The bytes of all events.
    private(set) var bytes = 0
    /// The number of events without a record in the staging file.
    private(set) var unheldCount = 0
    /// The records in the staging file of events that were removed since they were last taken.
    private var removedRecords: [HeldRecords.Place] = []

    /// Creates an empty store.
    /// - Parameter firstID: The id of the first event.
    package init(firstID: Int64 = 1) {
        nextID = firstID
    }

    /// The id of the event that came last.
    var lastID: Int64 { nextID - 1 }

    /// The lowest id of a namespace's events that is not below another one; nil if there is none.
    func firstID(of key: Int64, from id: Int64) -> Int64? { queues[key]?.firstID(from: id) }

    /// Takes the records in the staging file of events that were removed, each once.
    func takeRemovedRecords() -> [HeldRecords.Place] {
        defer { removedRecords = [] }
        return removedRecords
    }

    package func key(of namespace: String) -> Int64 {
        if let key = keys[exactly: namespace] { return key }
        let key = nextKey
        nextKey += 1
        keys[exactly: namespace] = key
        return key
    }

    /// Forgets the number of a namespace that has no events.
    func forget(_ namespace: String) {
        guard let key = keys[exactly: namespace], amount(of: key).events == 0 else { return }
        (keys[exactly: namespace], queues[key]) = (nil, nil)
    }

    package func append(_ batch: EventBatch, keys: (Int) -> Int64, isSynced: Bool) {
        batch.forEach { row, payload in
            queues[keys(row.namespace), default: Queue()].append(payload, row, id: nextID)
            nextID += 1
            bytes += payload.count
            if row.record == nil { unheldCount += 1 }
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
        // Events come in the order of their time, so the search stops at the first that is young enough.
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

    /// Calls `body` with each event of a namespace and its payload, the oldest first, for as long as it returns true.
    func forEach(of key: Int64, while body: (EventChunk.Row, UnsafeRawBufferPointer) -> Bool) {
        queues[key]?.forEach(while: body)
    }

    /// Removes all events of a namespace, and forgets their records, which stay as they are.
    func removeAll(of key: Int64) {
        bytes -= amount(of: key).bytes
        unheldCount -= queues[key]?.unheldCount ?? 0
        queues[key] = nil
    }

    /// Forgets the records of the events of a namespace, which no process will find.
    func forgetRecords(of key: Int64) {
        unheldCount += queues[key]?.heldCount ?? 0
        queues[key]?.forgetRecords()
    }

    /// Removes the events of a namespace whose records are held; the records stay as they are.
    func removeHeld(of key: Int64) {
        bytes -= amount(of: key).bytes
        queues[key]?.removeHeld()
        bytes += amount(of: key).bytes
    }

    private func remove(
        of key: Int64, until isBeyond: (EventChunk.Row) -> Bool, where isGone: (EventChunk.Row) -> Bool
    ) -> EventAmount {
        let removed = queues[key]?.remove(until: isBeyond, where: isGone) ?? EventChunk.Removal()
        bytes -= removed.amount.bytes
        unheldCount -= removed.amount.events - removed.records.count
        removedRecords += removed.records
        return removed.amount
    }
}

extension StoredEvent {
    fileprivate init(_ row: EventChunk.Row, _ payload: UnsafeRawBufferPointer) {
        self.init(id: row.id, isAnonymous: row.isAnonymous, payload: Array(payload))
    }
}
