/// A store that ends with the process, for a service without a disk and for when the disk is full.
package final class MemoryEventStore: EventStore {
    private struct Entry {
        let event: StoredEvent
        let time: Int64
    }

    private var keys: [String: Int64] = [:]
    // The first events leave and the last come; what left is cut off now and then, not moved each time.
    private var queues: [Int64: ArraySlice<Entry>] = [:]
    private var nextID: Int64

    /// Creates an empty store.
    /// - Parameter firstID: The id of the first event.
    package init(firstID: Int64 = 1) {
        nextID = firstID
    }

    package func key(of namespace: String) -> Int64 {
        if let key = keys[namespace] { return key }
        let key = Int64(keys.count)
        keys[namespace] = key
        return key
    }

    package func append(_ batch: EventBatch, keys: [Int64], isSynced: Bool) {
        batch.forEach { row, bytes in
            let event = StoredEvent(id: nextID, isAnonymous: row.isAnonymous, payload: Array(bytes))
            queues[keys[row.outbox], default: []].append(Entry(event: event, time: row.time))
            nextID += 1
        }
    }

    package func events(of key: Int64, limit: Int) -> [StoredEvent] {
        queues[key]?.prefix(limit).map(\.event) ?? []
    }

    package func remove(_ ids: [Int64]) -> Int {
        let gone = Set(ids)
        var removed = 0
        for key in queues.keys { removed += remove(of: key) { gone.contains($0.event.id) } }
        return removed
    }

    package func count(of key: Int64) -> Int {
        queues[key]?.count ?? 0
    }

    package func removeOldest(_ count: Int, of key: Int64, after id: Int64) -> Int {
        var left = count
        return remove(of: key) { entry in
            guard entry.event.id > id, left > 0 else { return false }
            left -= 1
            return true
        }
    }

    package func removeEvents(of key: Int64, after id: Int64, trackedBefore time: Int64) -> Int {
        guard let oldest = queues[key]?.first, oldest.time < time else { return 0 }
        return remove(of: key) { $0.event.id > id && $0.time < time }
    }

    package func namespaces() -> [String] {
        keys.filter { count(of: $0.value) > 0 }.map(\.key)
    }

    package func close() {}

    private func remove(of key: Int64, where isGone: (Entry) -> Bool) -> Int {
        guard var queue = queues.removeValue(forKey: key) else { return 0 }
        let before = queue.count
        // Almost always it is the first ones that go.
        let first = queue.firstIndex { !isGone($0) } ?? queue.endIndex
        queue = queue[first...]
        if queue.contains(where: isGone) { queue.removeAll(where: isGone) }
        if queue.startIndex > 4096 && queue.startIndex > queue.count { queue = ArraySlice(Array(queue)) }
        queues[key] = queue
        return before - queue.count
    }
}
