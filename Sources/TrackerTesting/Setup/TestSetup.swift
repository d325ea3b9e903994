public import TrackerConfig
import TrackerCore

/// A setup without disk and network, with the document, collector, clock and log of a test; made by
/// ``TrackerConfig/Setup/test(document:seed:configure:)``.
///
/// Its trackers send each event at once, because the clock stands still while events would wait for others: unless the
/// document sets `emitter.bufferOption`, it is set at run time.
public final class TestSetup: Sendable {
    /// The setup, for the code under test.
    public let setup: Setup

    /// The collector of all trackers.
    public let collector: RecordingCollector

    /// The source of the document; ``publish(_:)`` is the simplest way to change the document.
    public let source: MemorySource

    /// The clock. It stands still until the test moves it.
    public let time: ManualTime

    /// The log of the setup.
    public let log: MemoryLog

    init(document: String, seed: UInt64, configure: (inout SetupOptions) -> Void) async throws {
        (collector, source, time, log) = (RecordingCollector(), MemorySource(document), ManualTime(), MemoryLog())
        var options = SetupOptions.test(source: source, collector: collector, time: time, log: log, seed: seed)
        configure(&options)
        let first = FirstResult<ConfigurationOutcome>()
        let reference = Locked(SetupReference())
        options.onOutcome = { [onOutcome = options.onOutcome] outcome in
            // The fetch may come from polling, and its document may have other namespaces.
            reference.withLock { $0.setup }?.sendAtOnce()
            onOutcome?(outcome)
            first.finish(outcome)
        }
        let remote = RemoteConfiguration(endpoint: "https://config.example/document.json")
        setup = try Setup(remote: remote, options: options)
        reference.withLock { [setup] in $0.setup = setup }
        try Self.check(await first.value)
        setup.sendAtOnce()
    }

    /// Publishes a document, and waits until the setup has fetched and applied it.
    ///
    /// To test a document that cannot be used, call ``MemorySource/publish(_:)`` and the setup's `refresh()` instead.
    /// - Parameter document: The text of the document, with a higher version than the one in use.
    /// - Throws: ``DocumentNotApplied`` if the document was not applied.
    public func publish(_ document: String) async throws(DocumentNotApplied) {
        source.publish(document)
        try Self.check(await setup.refresh())
    }

    private static func check(_ outcome: ConfigurationOutcome) throws(DocumentNotApplied) {
        guard outcome.kind == .applied else { throw DocumentNotApplied(outcome: outcome) }
    }
}

/// A setup that is created after its options.
private struct SetupReference: Sendable {
    weak var setup: Setup?
}

extension Setup {
    /// Makes the trackers send each event at once unless the buffer option is set.
    fileprivate func sendAtOnce() {
        for emitter in namespaces.compactMap({ tracker($0)?.emitter })
        where emitter.explanation(\.bufferOption).source == .builtIn {
            // It cannot fail: every buffer option is valid.
            try? emitter.set(\.bufferOption, to: .single)
        }
    }

    /// Starts a setup without disk and network, and waits until the document is applied.
    ///
    /// ```swift
    /// let test = try await Setup.test(document: document)
    /// test.setup.tracker("checkout")?.track(Structured(category: "cart", action: "add"))
    /// let events = try await test.collector.waitForEvents(1)
    /// print(events[0].name)      // add
    /// ```
    /// - Parameters:
    ///   - document: The text of the document.
    ///   - seed: The seed of ids and jitter; 1 by default.
    ///   - configure: Changes the options, which are those of ``SetupOptions/test(source:collector:time:log:seed:)``.
    /// - Returns: The setup with its collector, source, clock and log.
    /// - Throws: ``DocumentNotApplied`` if the document cannot be used, and a ``/TrackerConfig/ConfigurationError`` if
    ///   an option is invalid.
    public static func test(
        document: String, seed: UInt64 = 1, configure: (inout SetupOptions) -> Void = { _ in }
    ) async throws -> TestSetup {
        try await TestSetup(document: document, seed: seed, configure: configure)
    }
}

/// The error of a test's document that was not applied.
public struct DocumentNotApplied: Error, Sendable, Hashable, CustomStringConvertible {
    /// The outcome of the fetch.
    public let outcome: ConfigurationOutcome

    /// The outcome as a sentence.
    public var description: String { "the document was not applied: \(outcome)" }
}
