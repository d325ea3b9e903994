import Glibc

/// Events for the store: records that stay in the staging area, and events with a copy of their bytes.
package struct EventBatch {
    /// What the store must know of an event besides its bytes.
    package struct Row {
        /// The index of its namespace.
        package let namespace: Int
        package let isAnonymous: Bool
        /// When it was tracked, in milliseconds since 1970.
        package let time: Int64
        /// The number of its bytes.
        package let size: Int
        /// Its record in the staging file; nil if none is held.
        var record: HeldRecords.Place?
    }

    /// Records that were not copied; their bytes stay as they are until their portions are released.
    private var staged: [StagedRecord] = []
    /// The bytes of the other events, one after the other.
    private var bytes: [UInt8] = []
    private var rows: [Row] = []

    package init() {}

    /// Creates an empty batch with room for so many bytes, so that it need not be moved as it grows.
    ///
    /// All of the memory is loaded, which takes a tenth of a millisecond for a megabyte.
    package init(capacity: Int) {
        bytes = Array(unsafeUninitializedCapacity: capacity) { memory, _ in
            UnsafeMutableRawBufferPointer(memory).populate()
        }
        // A row for each 512 bytes: most events are larger.
        rows = Array(unsafeUninitializedCapacity: capacity / 512) { memory, _ in
            UnsafeMutableRawBufferPointer(memory).populate()
        }
    }

    /// Creates a batch of records of the staging area.
    init(_ records: [StagedRecord]) {
        staged = records
        size = records.reduce(0) { $0 + $1.payload.count }
    }

    package var isEmpty: Bool { count == 0 }

    /// The number of events.
    package var count: Int { staged.count + rows.count }

    /// The first event of those that stay in the staging area; nil if there is none.
    var firstStaged: StagedRecord? { staged.first }

    /// How much memory the batch holds for copies.
    package var capacity: Int { bytes.capacity }

    /// How many bytes the events have together.
    package private(set) var size = 0

    /// The amounts of the events, by the index of their namespace.
    package var amounts: [Int: EventAmount] {
        var amounts: [Int: EventAmount] = [:]
        forEach { row, _ in amounts[row.namespace, default: .zero] += EventAmount(events: 1, bytes: row.size) }
        return amounts
    }

    package mutating func append(_ payload: UnsafeRawBufferPointer, namespace: Int, isAnonymous: Bool, time: Int64) {
        bytes.append(contentsOf: payload)
        rows.append(Row(namespace: namespace, isAnonymous: isAnonymous, time: time, size: payload.count))
        size += payload.count
    }

    /// Appends a copy of a record.
    mutating func append(_ record: StagedRecord) {
        append(record.payload, namespace: record.namespace, isAnonymous: record.isAnonymous, time: record.time)
    }

    /// Forgets the events and keeps the memory of copies.
    package mutating func removeAll() {
        (staged, size) = ([], 0)
        bytes.removeAll(keepingCapacity: true)
        rows.removeAll(keepingCapacity: true)
    }

    /// Calls `body` with each event and its bytes.
    package func forEach<Failure: Error>(
        _ body: (Row, UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        for record in staged {
            let row = Row(
                namespace: record.namespace, isAnonymous: record.isAnonymous, time: record.time,
                size: record.payload.count, record: record.place)
            try body(row, record.payload)
        }
        let result = bytes.withUnsafeBytes { all in
            Result { () throws(Failure) in
                var start = 0
                for row in rows {
                    try body(row, UnsafeRawBufferPointer(rebasing: all[start..<start + row.size]))
                    start += row.size
                }
            }
        }
        try result.get()
    }
}

extension UnsafeMutableRawBufferPointer {
    /// Loads the pages of memory at once, which takes less time than if each waits for the kernel at its first use.
    fileprivate func populate() {
        guard let baseAddress else { return }
        let pageSize = UInt(sysconf(Int32(_SC_PAGESIZE)))
        let start = (UInt(bitPattern: baseAddress) + pageSize - 1) / pageSize * pageSize
        let end = (UInt(bitPattern: baseAddress) + UInt(count)) / pageSize * pageSize
        guard start < end else { return }
        // Kernels before Linux 5.14 cannot, and nothing else depends on it.
        madvise(UnsafeMutableRawPointer(bitPattern: start), Int(end - start), MADV_POPULATE_WRITE)
    }
}
