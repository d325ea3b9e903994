import InMemoryLogging
import IntegrationTesting
import Logging
import Synchronization
import Testing
import TrackerConfig
import TrackerLogging

@Suite("LoggerSink", .timeLimit(.minutes(10)))
struct LoggerSinkTests {
    private let handler = InMemoryLogHandler()

    private func logger(_ level: Logger.Level = .trace) -> Logger {
        var logger = Logger(label: "trackers") { [handler] _ in handler }
        logger.logLevel = level
        return logger
    }

    @Test(
        "each level becomes the level of swift-log that has its name",
        arguments: [
            (LogLevel.error, Logger.Level.error), (.warning, .warning), (.info, .info), (.debug, .debug),
            (.trace, .trace),
        ])
    func levels(level: LogLevel, expected: Logger.Level) {
        LoggerSink(logger()).log(LogRecord(level: level, message: "the collector fails"))
        #expect(handler.entries.map(\.level) == [expected])
        #expect(handler.entries.map(\.message) == ["the collector fails"])
    }

    @Test("the logger's own level is respected")
    func threshold() {
        let sink = LoggerSink(logger(.warning))
        sink.log(LogRecord(level: .info, message: "applied"))
        sink.log(LogRecord(level: .warning, message: "reverted"))
        #expect(handler.entries.map(\.message) == ["reverted"])
    }

    @Test("a line has the namespace, and the version that was applied last")
    func metadata() async throws {
        let updates = Mutex<[ConfigurationUpdate]>([])
        let service = try TestService(
            document: #""meta": {}"#, onSuccess: { update in updates.withLock { $0.append(update) } })
        await service.setup.refresh()
        let (first, second) = updates.withLock { ($0[0], $0[1]) }
        let sink = LoggerSink(logger())
        sink.log(LogRecord(level: .info, namespace: "shop", message: "one"))
        sink.noteVersion(of: second)
        sink.log(LogRecord(level: .info, namespace: "shop", message: "two"))
        sink.log(LogRecord(level: .info, message: "three"))
        sink.noteVersion(of: first)
        sink.log(LogRecord(level: .info, message: "four"))
        #expect(
            handler.entries.map(\.metadata) == [
                ["namespace": "shop"], ["namespace": "shop", "version": "1"], ["version": "1"], ["version": "0"],
            ])
        await service.setup.shutdown(timeout: .zero)
    }

    @Test("names and messages cannot forge lines")
    func escaping() {
        LoggerSink(logger()).log(LogRecord(level: .info, namespace: "a\nb", message: "c\u{1B}[2J \u{202E}d é"))
        #expect(handler.entries.map(\.message) == [#"c\u{1B}[2J \u{202E}d é"#])
        #expect(handler.entries.map(\.metadata) == [["namespace": #"a\u{A}b"#]])
    }

    @Test("a setup logs what it applies, with the version that is in use then")
    func setup() async throws {
        let sink = LoggerSink(logger())
        let service = try TestService(document: #""meta": {}"#) {
            $0.log = sink
        } onSuccess: {
            sink.noteVersion(of: $0)
        }
        await service.setup.refresh()
        let applied = handler.entries.first { "\($0.message)".hasPrefix("version 1 was applied") }
        #expect(applied?.metadata["version"] == "1")
        await service.setup.shutdown(timeout: .zero)
    }
}
