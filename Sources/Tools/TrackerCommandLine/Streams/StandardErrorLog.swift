import TrackerConfig
package import TrackerCore

/// Writes the SDK's log to standard error, one line for each record.
package struct StandardErrorLog: LogSink {
    package init() {}

    package func log(_ record: LogRecord) {
        StandardStream.error.write(line: "\(record)")
    }
}
