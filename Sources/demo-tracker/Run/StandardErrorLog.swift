import Foundation
import TrackerConfig
import TrackerCore

/// Writes the SDK's log to standard error, a line a record.
struct StandardErrorLog: LogSink {
    func log(_ record: LogRecord) {
        FileHandle.standardError.write(Data("\(record)\n".utf8))
    }
}
