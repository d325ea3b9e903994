public import TrackerCore

/// A log that keeps its records in memory.
///
/// ```swift
/// let log = MemoryLog()
/// var options = SetupOptions()
/// options.log = log
/// print(log.contains("version 4 was rejected"))
/// ```
public final class MemoryLog: LogSink {
    private let state = Locked<[LogRecord]>([])

    /// Creates an empty log.
    public init() {}

    /// The records, the oldest first.
    public var records: [LogRecord] { state.withLock { $0 } }

    /// Keeps a record.
    /// - Parameter record: The record.
    public func log(_ record: LogRecord) {
        state.withLock { $0.append(record) }
    }

    /// Returns whether the message of a record contains a text.
    /// - Parameter text: The text.
    /// - Returns: Whether a record contains it.
    public func contains(_ text: String) -> Bool {
        records.contains { $0.message.contains(text) }
    }
}
