import Foundation
import FoundationEssentials
import TestSupport
import Testing
import TrackerConfig
import TrackerCore
import TrackerTesting

/// Where values come from.
@Suite("What a setup explains", .endsWhenItHangs)
struct ExplanationTests {
    private let service = Service()

    private func start() async throws -> Setup {
        let text = DocumentText.document(
            7, DocumentText.bundle("a", at: "alice:pass1@c.example", #""subject":{"userId":"remote"}"#),
            more: #","meta":{"owner":"growth"}"#)
        let network = NetworkConfiguration {
            $0.requestHeaders = [HTTPHeader(name: "Authorization", value: "Bearer pass3")]
            $0.endpoint = "https://bob:pass2@two.example"
        }
        let subject = EventSubject {
            $0.userID = "default"
            $0.language = "en"
        }
        let setup = try await service.started(
            "https://carol:pass4@config.example/trackers.json?key=pass5",
            default: [ConfigurationBundle(namespace: "a", network: network, subject: subject)],
            configure: { $0.source = MemorySource(text) })
        return setup
    }

    @Test("a value has its layer, version and time, and the values that it overrides")
    func candidates() async throws {
        let setup = try await start()
        let fetched = service.time.wallTime
        service.time.advance(by: .seconds(10))
        let tracker = try #require(setup.tracker("a"))
        try tracker.subject.set(\.userID, to: "runtime")
        let explanation = tracker.subject.explanation(\.userID)
        let all = [explanation] + explanation.overridden
        #expect(all.map(\.value?.string) == ["runtime", "remote", "default"])
        #expect(all.map(\.source) == [.runtime, .remote, .default])
        #expect(all.map(\.version) == [nil, 7, nil])
        #expect(all.map(\.time) == [fetched + 10_000, fetched, fetched].map(Date.init(milliseconds:)))
        #expect(
            explanation.description == #""runtime" (runtime), over "remote" (remote, version 7), "default" (default)"#)
        let builtIn = tracker.emitter.explanation(\.emitRange)
        #expect((builtIn.value?.int, builtIn.source, builtIn.time, builtIn.overridden.count) == (500, .builtIn, nil, 0))
        try tracker.emitter.set(\.emitRange, to: nil)
        let cleared = tracker.emitter.explanation(\.emitRange)
        #expect(cleared.description == "500 (runtime), over 500 (built in)")
        await setup.shutdown(timeout: .zero)
    }

    @Test("explanations can be written as JSON")
    func codable() async throws {
        let setup = try await start()
        let explanations = try #require(setup.tracker("a")?.layers.explanations)
        #expect(explanations.first { $0.field == "subject.userId" }?.value == "remote")
        let data = try JSONEncoder().encode(explanations)
        let written = try JSONReader.read(Array(data)).value.array
        #expect(written?.map { $0["field"]?.string } == explanations.map(\.field))
        await setup.shutdown(timeout: .zero)
    }

    @Test("the effective configuration is a document that gives the same settings")
    func effective() async throws {
        let setup = try await start()
        try setup.tracker("a")?.subject.set(\.timeZone, to: "UTC")
        try setup.tracker("a")?.session.set(\.foregroundTimeout, to: .milliseconds(1500))
        try setup.tracker("a")?.network.set(\.timeout, to: .milliseconds(2500))
        let text = JSONValue.object(setup.effectiveConfiguration).description
        let document = try Document(Array(text.utf8), purpose: .default)
        #expect(document.version == 7)
        #expect(document.meta == ["owner": "growth"])
        let bundle = try #require(document.bundles.first)
        #expect(bundle.subject?.userID == "remote")
        #expect(bundle.subject?.language == "en")
        #expect(bundle.subject?.timeZone == "UTC")
        #expect(bundle.emitter?.emitRange == 500)
        #expect(bundle.session?.foregroundTimeout == .seconds(2))
        #expect(document.warnings.isEmpty)
        await setup.shutdown(timeout: .zero)
    }

    @Test("no secret is in any of it: headers, users and passwords of URLs, values of queries")
    func secrets() async throws {
        let setup = try await start()
        let explanations = setup.namespaces.compactMap { setup.tracker($0)?.layers.explanations }
        let explanation = String(decoding: try JSONEncoder().encode(explanations), as: UTF8.self)
        let effective = JSONValue.object(setup.effectiveConfiguration).description
        for text in [explanation.replacing("\\/", with: "/"), effective] {
            for secret in ["alice", "bob", "carol", "pass"] { #expect(!text.contains(secret), "\(secret)") }
            #expect(text.contains("***@c.example"))
        }
        #expect(explanation.contains("Authorization: …"))
        #expect(!effective.contains("Authorization"))
        #expect(setup.status.document.source == "https://***@config.example/trackers.json?key=***")
        await setup.shutdown(timeout: .zero)
    }

    @Test("of trackers that a document does not change the version grows all the same, and nothing is restarted")
    func untouched() async throws {
        let bundles = [DocumentText.bundle("a"), DocumentText.bundle("b", #""tracker":{"appId":"x"}"#)]
        service.serve(DocumentText.document(1, bundles[0], bundles[1]))
        let setup = try await service.started()
        service.serve(
            DocumentText.document(2, bundles[0], DocumentText.bundle("b", #""tracker":{"appId":"y"}"#)))
        await setup.refresh()
        #expect(setup.tracker("a")?.network.explanation(\.endpoint).version == 2)
        #expect(setup.tracker("b")?.settings.explanation(\.appID).short == "remote 2: y")
        await setup.shutdown(timeout: .zero)
    }
}
