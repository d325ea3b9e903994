import TrackerConfig
import TrackerCore

/// Writes the SDK's log to standard error, a line a record.
struct StandardErrorLog: LogSink {
    func log(_ record: LogRecord) {
        StandardStream.error.write(line: "\(record)")
    }
}
