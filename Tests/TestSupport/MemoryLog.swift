package import TrackerCore

/// Keeps what the SDK says.
package final class MemoryLog: LogSink {
    private let state = Locked<[LogRecord]>([])

    package init() {}

    package var records: [LogRecord] { state.withLock { $0 } }

    package func log(_ record: LogRecord) {
        state.withLock { $0.append(record) }
    }

    /// Whether a record contains the text.
    package func contains(_ text: String) -> Bool {
        records.contains { $0.message.contains(text) }
    }
}
