/// Events that wait for the store, their bytes one after the other in one buffer.
package struct EventBatch: Sendable {
    /// Where an event's bytes end, and what the store must know of it.
    package struct Row: Sendable {
        /// The index of its namespace.
        package let namespace: Int
        package let isAnonymous: Bool
        /// When it was tracked, in milliseconds since 1970.
        package let time: Int64
        package let end: Int
    }

    private var bytes: [UInt8] = []
    package private(set) var rows: [Row] = []

    package init() {}

    /// Creates an empty batch with room for so many bytes, so that it need not be moved as it grows.
    package init(capacity: Int) {
        bytes.reserveCapacity(capacity)
    }

    package var isEmpty: Bool { rows.isEmpty }

    /// How much memory the batch holds for events.
    package var capacity: Int { bytes.capacity }

    /// How many bytes the events have together.
    package var size: Int { bytes.count }

    /// The amounts of the events, by the index of their namespace.
    package var amounts: [Int: EventAmount] {
        var amounts: [Int: EventAmount] = [:]
        var start = 0
        for row in rows {
            amounts[row.namespace, default: .zero] += EventAmount(events: 1, bytes: row.end - start)
            start = row.end
        }
        return amounts
    }

    package mutating func append(_ payload: UnsafeRawBufferPointer, namespace: Int, isAnonymous: Bool, time: Int64) {
        bytes.append(contentsOf: payload)
        rows.append(Row(namespace: namespace, isAnonymous: isAnonymous, time: time, end: bytes.count))
    }

    mutating func append(_ record: StagedRecord) {
        append(record.payload, namespace: record.namespace, isAnonymous: record.isAnonymous, time: record.time)
    }

    /// Forgets the events and keeps the memory.
    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        rows.removeAll(keepingCapacity: true)
    }

    /// Calls `body` with each event and its bytes.
    package func forEach<Failure: Error>(
        _ body: (Row, UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        let result = bytes.withUnsafeBytes { all in
            Result { () throws(Failure) in
                var start = 0
                for row in rows {
                    try body(row, UnsafeRawBufferPointer(rebasing: all[start..<row.end]))
                    start = row.end
                }
            }
        }
        try result.get()
    }
}
