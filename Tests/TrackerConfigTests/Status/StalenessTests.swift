import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerConsole
import TrackerFeatures
import TrackerTesting

/// What a service says of a document whose source is out of reach.
@Suite("Staleness", .endsWhenItHangs)
struct StalenessTests {
    private static let context = FeatureContext(units: ["userId": "u-1"], attributes: ["plan": "pro"])
    private static let features = """
        {"plain":{"enabled":true,"variables":{"x":{"value":3},"text":{"value":"a"}}},
        "ruled":{"rules":[{"id":"pro","condition":{"plan":"pro"},"enabled":true}]},
        "drawn":{"rules":[{"id":"draw","experiment":"e"}]},
        "off":{"disabled":true,"variables":{"x":{"value":1}}}},
        "experiments":[{"id":"e","variants":[{"name":"a","values":{"drawn":{"x":7}}}]}]
        """
    private static let outage = FetchError(.status, reason: "the server answered 503", status: 503)
    private static let cut = FetchError(.transport, reason: "the connection was reset")

    private let service = Service()
    private let source = UnsteadySource(document(1))

    private static func document(_ version: Int, more: String = "") -> String {
        DocumentText.document(version, DocumentText.bundle(), more: #","features":\#(features)\#(more)"#)
    }

    /// Starts, and returns when the setup waits for what makes its document stale. Nothing else waits for 33 s.
    private func start(
        every interval: Duration? = .seconds(11), waits patience: Duration? = .seconds(33),
        configure: (inout SetupOptions) -> Void = { _ in },
        onSuccess: @escaping @Sendable (ConfigurationUpdate) -> Void = { _ in }
    ) async throws -> Setup {
        let setup = try service.start(
            configure: {
                $0.source = source
                configure(&$0)
            }, remote: { $0.pollInterval = interval }, onSuccess: onSuccess)
        await service.settled()
        if let patience { await service.time.waitForSleeps(1, of: patience) }
        return setup
    }

    private func reason(_ setup: Setup) -> EvaluationReason { setup.features.detail("plain").reason }

    private func advance(by duration: Duration, _ setup: Setup) async {
        service.time.advance(by: duration)
        await setup.turn(20)
    }

    private func waitUntilStale(_ setup: Setup) async throws {
        try await waitUntil("the document is stale") { setup.status.document.staleSince != nil }
    }

    /// Lets the source fail until the document is stale.
    private func becomeStale(_ setup: Setup) async throws {
        source.memory.fail(Self.outage)
        service.time.advance(by: .seconds(33))
        try await waitUntilStale(setup)
    }

    @Test("three poll intervals without an answer make the document stale, and an answer makes it fresh at once")
    func polls() async throws {
        let seen = Locked<[EvaluationReason]>([])
        let reference = Locked(SetupReference())
        let setup = try await start(onSuccess: { _ in
            guard let setup = reference.withLock({ $0.setup }) else { return }
            seen.withLock { $0.append(setup.features.detail("plain").reason) }
        })
        reference.withLock { $0.setup = setup }
        let last = service.time.now
        source.memory.fail(Self.outage)
        await advance(by: .milliseconds(32_999), setup)
        #expect(reason(setup) == .static)
        #expect(setup.status.document.staleSince == nil)
        service.time.advance(by: .milliseconds(1))
        try await waitUntilStale(setup)
        #expect(reason(setup) == .stale)
        #expect(setup.status.document.staleSince == last)
        let line = setup.status.lines.first { $0.topic == .document }
        #expect(line?.text == "Version 1 may be out of date: its source is not reached")
        #expect((line?.level, line?.since) == (.warning, last))
        let text = "the document may be out of date: its source was not reached for 33 s"
        #expect(service.log.records.contains { $0.level == .warning && $0.message == text })
        source.memory.publish(Self.document(2))
        #expect(await setup.refresh().kind == .applied)
        // Also for the callback of the document.
        #expect(seen.withLock { $0 } == [.static])
        #expect(reason(setup) == .static)
        #expect(setup.status.document.staleSince == nil)
        #expect(service.log.records.contains { $0.message == "the source of the document is reached again" })
        // And so on.
        await service.time.waitForSleeps(1, of: .seconds(33))
        try await becomeStale(setup)
        #expect(reason(setup) == .stale)
        await setup.shutdown(timeout: .zero)
    }

    @Test("each success defers it")
    func successes() async throws {
        let setup = try await start()
        for _ in 0..<3 {
            await advance(by: .seconds(15), setup)
            #expect(await setup.refresh().kind == .notModified)
            await service.time.waitForSleeps(1, of: .seconds(33))
        }
        #expect(setup.status.document.staleSince == nil)
        #expect(!service.log.records.contains { $0.message.contains("out of date") })
        await setup.shutdown(timeout: .zero)
    }

    @Test(
        "each answer of the source counts, whatever it is worth",
        arguments: ["unchanged", "held", "stale", "rejected"])
    func answers(kind: String) async throws {
        source.memory.publish(Self.document(5))
        let setup = try await start()
        try await becomeStale(setup)
        switch kind {
        case "unchanged": source.memory.publish(Self.document(5))
        case "held": source.memory.publish(Self.document(6, more: #","rollout":{"percent":0}"#))
        case "stale": source.memory.publish(Self.document(4))
        default: source.memory.publish("{")
        }
        await setup.refresh()
        // The hint of the publication may have fetched it before.
        #expect(setup.status.fetches.contains { $0.key.rawValue == kind })
        #expect(reason(setup) == .static)
        await setup.shutdown(timeout: .zero)
    }

    @Test("the reason is of what the remote document gives, by a rule or an experiment too, and of nothing else")
    func reasons() async throws {
        struct Own: FeatureValueProvider {
            let name = "own"
            func load() -> ProvidedFeatures { ProvidedFeatures([FeatureDefinition(name: "given", isEnabled: true)]) }
        }
        let setup = try await start { $0.features.providers = [Own()] }
        let features = setup.features
        try await becomeStale(setup)
        let ruled = features.detail("ruled", for: Self.context)
        #expect((ruled.reason, ruled.rule, ruled.value) == (.stale, "pro", true))
        let drawn = features.detail("drawn", variable: "x", default: 0, for: Self.context)
        #expect((drawn.reason, drawn.variant, drawn.value) == (.stale, "a", 7))
        #expect(features.detail("plain", variable: "x", default: 0).reason == .stale)
        // A value of another type is an error and the caller's default a default, old or not.
        #expect(features.detail("plain", variable: "text", default: 0).reason == .error)
        #expect(features.detail("off", variable: "x", default: 0).reason == .disabled)
        #expect(features.detail("none").reason == .default)
        #expect(features.detail("given").reason == .static)
        try features.overrides.setEnabled(false, for: "plain")
        #expect(reason(setup) == .static)
        #expect(features.explain("ruled", for: Self.context).reason == .targetingMatch)
        // Counters keep the reason of the decision.
        #expect(features.usage.first { $0.feature == "ruled" }?.evaluations == [.targetingMatch: 1])
        await setup.shutdown(timeout: .zero)
    }

    @Test("flags for other languages keep to the protocol's reasons, and say it in their metadata")
    func flags() async throws {
        let setup = try await start()
        func flag() async -> JSONObject {
            await ConsoleBrowser(setup) { _ in }.send(
                "POST", "ofrep/v1/evaluate/flags/ruled", #"{"context":{"plan":"pro"}}"#
            ).json
        }
        #expect(await flag()["metadata"] == nil)
        try await becomeStale(setup)
        #expect(await flag()["metadata"] == ["stale": true])
        #expect(await flag()["reason"] == "TARGETING_MATCH")
        await setup.shutdown(timeout: .zero)
    }

    @Test("a cached document is stale after three intervals too, the default gives no stale values")
    func starts() async throws {
        try service.cache(Self.document(1))
        source.memory.fail(Self.outage)
        let setup = try await start()
        #expect(setup.status.document.state == .cached)
        #expect(reason(setup) == .static)
        try await becomeStale(setup)
        #expect(reason(setup) == .stale)
        await setup.shutdown(timeout: .zero)
        let other = Service()
        let document = try Document(Array(Self.document(3).utf8), purpose: .default)
        let standalone = try other.start(
            default: document, configure: { $0.source = source }, remote: { $0.pollInterval = .seconds(11) })
        await other.settled()
        await other.time.waitForSleeps(1, of: .seconds(33))
        other.time.advance(by: .seconds(33))
        try await waitUntilStale(standalone)
        #expect(reason(standalone) == .static)
        await standalone.shutdown(timeout: .zero)
    }

    // MARK: Streams

    private func isOpen(_ setup: Setup, _ expected: Bool = true) async throws {
        try await waitUntil(expected ? "the stream is open" : "the stream is down") {
            (setup.status.streaming?.connectedSince != nil) == expected
        }
    }

    @Test("a stream that is open keeps the document fresh while polls fail, for three intervals beyond its end")
    func openStream() async throws {
        source.memory.streams = true
        let setup = try await start(waits: nil)
        try await isOpen(setup)
        source.memory.fail(Self.outage)
        for _ in 0..<5 { await advance(by: .seconds(33), setup) }
        // A poll may be in progress for all that time.
        try await waitUntil("polls fail") {
            await advance(by: .seconds(33), setup)
            return setup.status.outage != nil
        }
        #expect(reason(setup) == .static && setup.status.document.staleSince == nil)
        let end = service.time.now
        source.refuse(Self.cut)
        try await isOpen(setup, false)
        await service.time.waitForSleeps(1, of: .seconds(33))
        await advance(by: .milliseconds(32_999), setup)
        #expect(setup.status.document.staleSince == nil)
        service.time.advance(by: .milliseconds(1))
        try await waitUntilStale(setup)
        #expect(reason(setup) == .stale && setup.status.document.staleSince == end)
        // The next connection makes it fresh, although fetches still fail.
        source.refuse(nil)
        try await waitUntil("the stream is open again") {
            await advance(by: .seconds(1), setup)
            return setup.status.streaming?.connectedSince != nil
        }
        #expect(setup.status.outage != nil)
        #expect(reason(setup) == .static && setup.status.document.staleSince == nil)
        await setup.shutdown(timeout: .zero)
    }

    @Test("without polling a stream that is down for three minutes makes the document stale, and none never does")
    func onlyStream() async throws {
        source.memory.streams = true
        let setup = try await start(every: nil, waits: nil)
        try await isOpen(setup)
        await advance(by: .seconds(86_400), setup)
        #expect(setup.status.document.staleSince == nil)
        source.refuse(Self.cut)
        try await isOpen(setup, false)
        await service.time.waitForSleeps(1, of: .seconds(180))
        await advance(by: .milliseconds(179_999), setup)
        #expect(setup.status.document.staleSince == nil)
        service.time.advance(by: .milliseconds(1))
        try await waitUntilStale(setup)
        #expect(setup.status.lines.filter { $0.level == .problem }.map(\.topic) == [.fetch])
        await setup.shutdown(timeout: .zero)

        let alone = Service()
        let other = try alone.start(configure: { $0.source = MemorySource(Self.document(1)) })
        await alone.settled()
        alone.time.advance(by: .seconds(86_400))
        await other.turn(20)
        #expect(other.status.document.staleSince == nil && reason(other) == .static)
        await other.shutdown(timeout: .zero)
    }

    // MARK: Ends

    @Test("nothing becomes stale after a shutdown")
    func shutdown() async throws {
        let setup = try await start()
        await setup.shutdown(timeout: .zero)
        await advance(by: .seconds(1000), setup)
        #expect(reason(setup) == .static)
        #expect(setup.status.document.staleSince == nil)
    }
}

private struct SetupReference: Sendable {
    weak var setup: Setup?
}
