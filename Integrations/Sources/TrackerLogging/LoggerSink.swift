public import Logging
import Synchronization
public import TrackerConfig

/// A sink that sends the SDK's log to a logger of swift-log.
///
/// Each line has the metadata `namespace` if it is about one tracker, and `version`: the version of the document that
/// the line is about, or else the version in use, once ``noteVersion(of:)`` was called.
///
/// ```swift
/// let sink = LoggerSink(Logger(label: "trackers"))
/// var options = SetupOptions()
/// options.log = sink
/// options.logLevel = .debug
/// let setup = try Setup(remote: remote, options: options) { update in sink.noteVersion(of: update) }
/// ```
///
/// Two thresholds apply: the SDK's (``SetupOptions/logLevel``, and each tracker's `logLevel`) and the logger's own.
public final class LoggerSink: LogSink {
    private let logger: Logger
    private let version = Mutex<Int?>(nil)

    /// Creates a sink.
    /// - Parameter logger: The logger.
    public init(_ logger: Logger) {
        self.logger = logger
    }

    /// Notes the version of the applied configuration for later lines.
    /// - Parameter update: The update, as ``Setup`` passes it to `onSuccess`.
    public func noteVersion(of update: ConfigurationUpdate) {
        version.withLock { $0 = update.version }
    }

    /// Logs a record. Control characters in the message and in the namespace are escaped, such as `\u{A}`, so that a
    /// name in a document cannot forge a line.
    /// - Parameter record: The record.
    public func log(_ record: LogRecord) {
        let level = Logger.Level(record.level)
        guard level >= logger.logLevel else { return }
        var metadata: Logger.Metadata = [:]
        if let namespace = record.namespace { metadata["namespace"] = .string(Self.escaped(namespace)) }
        if let version = record.version ?? version.withLock({ $0 }) { metadata["version"] = .string("\(version)") }
        logger.log(
            level: level, "\(Self.escaped(record.message))", metadata: metadata, source: "TrackerConfig")
    }

    private static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isHidden) else { return text }
        var escaped = ""
        for scalar in text.unicodeScalars {
            if isHidden(scalar) {
                escaped += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            } else {
                escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// Whether a character breaks the line, controls the terminal or changes the direction of writing.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}

extension Logger.Level {
    /// Creates the level of swift-log with the same name; `off`, which no record has, becomes `trace`.
    /// - Parameter level: The SDK's level.
    public init(_ level: LogLevel) {
        switch level {
        case .error: self = .error
        case .warning: self = .warning
        case .info: self = .info
        case .debug: self = .debug
        case .trace, .off: self = .trace
        @unknown default: self = .trace
        }
    }
}
