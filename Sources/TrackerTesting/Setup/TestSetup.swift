public import TrackerConfig
import TrackerCore

/// A setup without disk and network, with the document, collector, clock and log of a test; made by
/// ``TrackerConfig/Setup/test(document:seed:configure:)``.
///
/// Its trackers send each event at once, because no time passes in which they could wait for others: it sets
/// `emitter.bufferOption` at run time, unless the document does.
public final class TestSetup: Sendable {
    /// The setup, for the code that is tested.
    public let setup: Setup

    /// The collector of all trackers.
    public let collector: RecordingCollector

    /// The source of the document; ``publish(_:)`` is the short way to change it.
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
            // The fetch may have been one of polling, whose document has other namespaces.
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

    /// Publishes a document, and lets the setup fetch and apply it.
    ///
    /// To test what a service does with a document that cannot be used, call ``MemorySource/publish(_:)`` and the setup's
    /// `refresh()` instead.
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

/// A setup that is known only after its options are.
private struct SetupReference: Sendable {
    weak var setup: Setup?
}

extension Setup {
    /// Lets the trackers send each event at once if nothing else is set.
    fileprivate func sendAtOnce() {
        for emitter in namespaces.compactMap({ tracker($0)?.emitter })
        where emitter.explain(\.bufferOption).source == .builtIn {
            // It cannot fail: each buffer option can be used.
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
    /// - Throws: ``DocumentNotApplied`` if the document cannot be used, and a ``/TrackerConfig/ConfigurationError`` if an option cannot.
    public static func test(
        document: String, seed: UInt64 = 1, configure: (inout SetupOptions) -> Void = { _ in }
    ) async throws -> TestSetup {
        try await TestSetup(document: document, seed: seed, configure: configure)
    }
}

/// Why a document of a test is not in use.
public struct DocumentNotApplied: Error, Sendable, Hashable, CustomStringConvertible {
    /// How the fetch ended.
    public let outcome: ConfigurationOutcome

    /// The outcome as a sentence.
    public var description: String { "the document was not applied: \(outcome)" }
}
