/// A store that ends with the process, for a service without a disk and for a disk that is full.
package final class MemoryEventStore: EventStore {
    private struct Entry {
        let event: StoredEvent
        let time: Int64

        /// Stands where an event was.
        static let gone = Entry(event: StoredEvent(id: 0, isAnonymous: false, payload: []), time: 0)
    }

    /// Events leave at the front and come at the end; memory at the front is released now and then, not each time.
    private struct Queue {
        var entries: [Entry] = []
        var head = 0
        var bytes = 0

        var amount: EventAmount { EventAmount(events: entries.count - head, bytes: bytes) }
    }

    private var keys: [ExactText: Int64] = [:]
    private var queues: [Int64: Queue] = [:]
    private var nextID: Int64

    /// Creates an empty store.
    /// - Parameter firstID: The id of the first event.
    package init(firstID: Int64 = 1) {
        nextID = firstID
    }

    package func key(of namespace: String) -> Int64 {
        if let key = keys[exactly: namespace] { return key }
        let key = Int64(keys.count)
        keys[exactly: namespace] = key
        return key
    }

    package func append(_ batch: EventBatch, keys: (Int) -> Int64, isSynced: Bool) {
        batch.forEach { row, bytes in
            let event = StoredEvent(id: nextID, isAnonymous: row.isAnonymous, payload: Array(bytes))
            let key = keys(row.namespace)
            queues[key, default: Queue()].entries.append(Entry(event: event, time: row.time))
            queues[key, default: Queue()].bytes += bytes.count
            nextID += 1
        }
    }

    package func events(of key: Int64, limit: EventAmount, except excluded: Set<Int64>) -> StoredEvents {
        var result = StoredEvents()
        guard let queue = queues[key] else { return result }
        var amount = EventAmount.zero
        for entry in queue.entries[queue.head...] where !excluded.contains(entry.event.id) {
            let next = amount + EventAmount(entry.event)
            if next.events > limit.events || !result.events.isEmpty && next.bytes > limit.bytes {
                result.isLimited = true
                break
            }
            result.events.append(entry.event)
            amount = next
        }
        return result
    }

    package func remove(_ ids: [Int64], of key: Int64) -> Int {
        guard let last = ids.max() else { return 0 }
        let gone = Set(ids)
        return remove(of: key, until: { $0.event.id > last }, where: { gone.contains($0.event.id) }).events
    }

    package func amount(of key: Int64) -> EventAmount {
        queues[key]?.amount ?? .zero
    }

    package func removeOldest(_ amount: EventAmount, of key: Int64, after id: Int64) -> EventAmount {
        var removed = EventAmount.zero
        return remove(
            of: key, until: { _ in removed.covers(amount) },
            where: { entry in
                guard entry.event.id > id else { return false }
                removed += EventAmount(entry.event)
                return true
            })
    }

    package func removeEvents(of key: Int64, after id: Int64, trackedBefore time: Int64) -> EventAmount {
        // Events come in the order of their time, so the first that is young enough ends the search.
        remove(of: key, until: { $0.time >= time }, where: { $0.event.id > id })
    }

    package func events(
        of key: Int64, after id: Int64, trackedBefore time: Int64, limit: EventAmount
    ) -> [StoredEvent] {
        guard let queue = queues[key] else { return [] }
        var events: [StoredEvent] = []
        var amount = EventAmount.zero
        for entry in queue.entries[queue.head...] where entry.event.id > id {
            amount += EventAmount(entry.event)
            guard entry.time < time, events.isEmpty || limit.covers(amount) else { break }
            events.append(entry.event)
        }
        return events
    }

    package func oldestTime(of key: Int64) -> Int64? {
        guard let queue = queues[key], queue.amount.events > 0 else { return nil }
        return queue.entries[queue.head].time
    }

    package func namespaces() -> [String] {
        keys.filter { amount(of: $0.value).events > 0 }.map(\.key.text)
    }

    /// All events of a namespace, to be stored elsewhere under the namespace's index.
    func batch(of key: Int64, namespace: Int) -> EventBatch {
        var batch = EventBatch()
        for entry in queues[key].map({ $0.entries[$0.head...] }) ?? [] {
            entry.event.payload.withUnsafeBytes {
                batch.append($0, namespace: namespace, isAnonymous: entry.event.isAnonymous, time: entry.time)
            }
        }
        return batch
    }

    /// Removes all events of a namespace.
    func removeAll(of key: Int64) {
        queues[key] = nil
    }

    /// Removes from the front of a queue, without a look at what is beyond.
    private func remove(
        of key: Int64, until isBeyond: (Entry) -> Bool, where isGone: (Entry) -> Bool
    ) -> EventAmount {
        // Taken out and put back, so that it is changed where it is and not copied.
        guard var queue = queues.removeValue(forKey: key) else { return .zero }
        defer { queues[key] = queue }
        var kept: [Entry] = []
        var removed = EventAmount.zero
        var end = queue.head
        while end < queue.entries.count, !isBeyond(queue.entries[end]) {
            let entry = queue.entries[end]
            if isGone(entry) { removed += EventAmount(entry.event) } else { kept.append(entry) }
            end += 1
        }
        guard removed.events > 0 else { return .zero }
        for place in queue.head..<queue.head + removed.events { queue.entries[place] = .gone }
        queue.head += removed.events
        queue.bytes -= removed.bytes
        for (offset, entry) in kept.enumerated() { queue.entries[queue.head + offset] = entry }
        if queue.head > 4096 && queue.head > queue.entries.count - queue.head {
            queue.entries.removeFirst(queue.head)
            queue.head = 0
        }
        return removed
    }
}
