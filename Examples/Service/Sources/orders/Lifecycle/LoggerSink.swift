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
    fileprivate init(_ level: LogLevel) {
        switch level {
        case .error: self = .error
        case .warning: self = .warning
        case .info: self = .info
        case .debug: self = .debug
        case .trace, .off: self = .trace
        }
    }
}
