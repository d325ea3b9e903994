import Logging
import TrackerConfig

/// Hands what the SDK has to say to a logger.
struct LoggerSink: LogSink {
    private let logger: Logger

    init(_ logger: Logger) {
        self.logger = logger
    }

    func log(_ record: LogRecord) {
        logger.log(
            level: Logger.Level(record.level), "\(record.message)",
            metadata: record.namespace.map { ["tracker": "\($0)"] })
    }
}

extension Logger.Level {
    /// The SDK's `error` is what needs attention, its `debug` what a service's log is read for.
    fileprivate init(_ level: LogLevel) {
        switch level {
        case .error: self = .error
        case .debug: self = .info
        case .verbose, .off: self = .trace
        }
    }
}
