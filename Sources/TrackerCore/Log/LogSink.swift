/// A receiver of the SDK's log lines. The SDK itself never writes to standard output or standard error.
///
/// ```swift
/// struct StandardErrorLog: LogSink {
///     func log(_ record: LogRecord) {
///         // With contentsOf: the other form stops the process if the reader of the output has ended.
///         try? FileHandle.standardError.write(contentsOf: Data("\(record)\n".utf8))
///     }
/// }
/// ```
public protocol LogSink: Sendable {
    /// Receives a record. It is called on the SDK's threads and on the caller's, never inside a lock.
    /// - Parameter record: The record.
    func log(_ record: LogRecord)
}

/// One line of the log.
public struct LogRecord: Sendable, Hashable, CustomStringConvertible {
    /// The severity; never ``LogLevel/off``.
    public let level: LogLevel

    /// The namespace of the tracker that the line is about; nil if it is about none.
    public let namespace: String?

    /// One sentence.
    public let message: String

    /// The version of the document that the line is about; nil if it is about none.
    public let version: Int?

    /// Creates a record.
    /// - Parameters:
    ///   - level: The severity.
    ///   - namespace: The namespace of the tracker that the line is about; nil if it is about none.
    ///   - message: One sentence.
    ///   - version: The version of the document that the line is about; nil if it is about none.
    public init(level: LogLevel, namespace: String? = nil, message: String, version: Int? = nil) {
        self.level = level
        self.namespace = namespace
        self.message = message
        self.version = version
    }

    /// The record as one line of text. Control characters, line breaks and characters that change the writing direction
    /// are escaped (`\u{A}`), so that no name or message can forge a line.
    public var description: String {
        "\(level.name) \(namespace.map { "[\($0.oneLine(most: .max))] " } ?? "")\(message.oneLine(most: .max))"
    }
}

/// A sink with the level up to which it receives lines.
package struct Log: Sendable {
    private let sink: (any LogSink)?
    private let level: LogLevel
    private let namespace: String?
    private let version: Int?

    package init(_ sink: (any LogSink)?, level: LogLevel, namespace: String? = nil, version: Int? = nil) {
        self.sink = sink
        self.level = level
        self.namespace = namespace
        self.version = version
    }

    /// The same sink for lines about one version of the document.
    package func about(_ version: Int?) -> Log {
        Log(sink, level: level, namespace: namespace, version: version)
    }

    /// The same sink for one tracker, at a level of its own or at this one's.
    package func scoped(to namespace: String, level: LogLevel? = nil) -> Log {
        Log(sink, level: level ?? self.level, namespace: namespace)
    }

    package func error(_ message: @autoclosure () -> String) { write(.error, message) }

    package func warning(_ message: @autoclosure () -> String) { write(.warning, message) }

    package func info(_ message: @autoclosure () -> String) { write(.info, message) }

    package func debug(_ message: @autoclosure () -> String) { write(.debug, message) }

    package func trace(_ message: @autoclosure () -> String) { write(.trace, message) }

    /// Logs a line at a level that is known only at run time; nothing at ``LogLevel/off``.
    package func log(_ level: LogLevel, _ message: @autoclosure () -> String) {
        if level != .off { write(level, message) }
    }

    private func write(_ level: LogLevel, _ message: () -> String) {
        guard let sink, level <= self.level else { return }
        sink.log(LogRecord(level: level, namespace: namespace, message: message(), version: version))
    }
}
