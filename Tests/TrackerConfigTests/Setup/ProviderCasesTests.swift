import TestSupport
import Testing
import TrackerConfig
import TrackerCore
import TrackerTesting

/// Cases 1 to 17 of the semantics: which document a service uses.
@Suite("Which document is used", .endsWhenItHangs)
struct ProviderCasesTests {
    private let service = Service()

    private static let inA = ConfigurationBundle(
        namespace: "a", network: NetworkConfiguration(endpoint: "default.example"))

    private func v(_ version: Int, _ sections: String...) -> String {
        let members = sections.isEmpty ? #""subject":{"userId":"v\#(version)"}"# : sections.joined(separator: ",")
        return DocumentText.document(version, DocumentText.bundle("a", at: "v\(version).example", members))
    }

    @Test("case 1: no cache and no default, an error's status applies nothing and fails", arguments: [404, 500])
    func case1(status: Int) async throws {
        service.serve(v(1), status: status)
        try await service.run { setup in
            #expect(setup.namespaces.isEmpty)
            #expect(setup.defaultTracker == nil)
        }
        #expect(service.trace == ["failed status(\(status))"])
        #expect(
            service.outcomes.map(\.description)
                == ["cannot fetch https://config.example/trackers.json: status \(status)"])
        #expect(!service.directory.names.contains("cache"))
    }

    @Test("cases 2 and 3: schema 1-1-0 is applied, and 2-0-0 is rejected", arguments: ["1-1-0", "2-0-0"])
    func schemas(version: String) async throws {
        let schema = "http://iglucentral.com/schemas/com.snowplowanalytics.mobile/remote_config/jsonschema/\(version)"
        service.serve(DocumentText.document(1, DocumentText.bundle(), schema: schema))
        try await service.run()
        let isApplied = version == "1-1-0"
        #expect(
            service.trace == (isApplied ? [#"fetched 1 ["a"]"#, #"applied 1 ["a"]"#] : ["rejected unsupportedSchema"]))
    }

    @Test("case 4: cache v1, fetch v1 gives cached only")
    func case4() async throws {
        try service.cache(v(1))
        service.serve(v(1))
        try await service.run { #expect($0.tracker("a")?.subject.userID == "v1") }
        #expect(service.trace == [#"cached 1 ["a"]"#, "unchanged 1"])
    }

    @Test("case 5: cache v1, fetch v2 gives cached, then fetched")
    func case5() async throws {
        try service.cache(v(1))
        service.serve(v(2))
        try await service.run { setup in
            let tracker = try #require(setup.tracker("a"))
            #expect(tracker.subject.explanation(\.userID).version == 2)
            await tracker.deliver()
        }
        #expect(service.trace == [#"cached 1 ["a"]"#, #"fetched 2 ["a"]"#, #"applied 2 ["a"]"#])
        #expect(service.transport.requests.last?.url.hasPrefix("https://v2.example/") == true)
        #expect(service.delivered.map { $0["uid"] } == ["v2"])
    }

    @Test("case 6: cache v2, fetch v1 is stale and leaves the cache alone")
    func case6() async throws {
        try service.cache(v(2))
        service.serve(v(1))
        try await service.run { #expect($0.tracker("a")?.subject.userID == "v2") }
        try await service.run()
        #expect(service.trace == [#"cached 2 ["a"]"#, "stale 1", #"cached 2 ["a"]"#, "stale 1"])
    }

    @Test("case 7: default v2, fetch v2 gives the default only")
    func case7() async throws {
        service.serve(v(2))
        try await service.run(default: [Self.inA], version: 2) { setup in
            #expect(setup.tracker("a")?.subject.userID == nil)
            #expect(setup.tracker("a")?.network.endpoint == "default.example")
        }
        #expect(service.trace == [#"default 2 ["a"]"#, "unchanged 2"])
    }

    @Test("case 8: default v1, fetch v2 gives both in order")
    func case8() async throws {
        service.serve(v(2))
        try await service.run(default: [Self.inA], version: 1) { setup in
            #expect(setup.tracker("a")?.subject.userID == "v2")
        }
        #expect(service.trace == [#"default 1 ["a"]"#, #"fetched 2 ["a"]"#, #"applied 2 ["a"]"#])
    }

    @Test("case 9: a default without version gives way to any fetched one", arguments: [0, 1, 9_007_199_254_740_991])
    func case9(version: Int) async throws {
        service.serve(v(version))
        try await service.run(default: [Self.inA])
        #expect(
            service.trace == [#"default nil ["a"]"#, #"fetched \#(version) ["a"]"#, #"applied \#(version) ["a"]"#])
    }

    @Test("case 10: setup, then refresh with the same version does not apply")
    func case10() async throws {
        service.serve(v(1))
        try await service.run { setup in
            #expect(await setup.refresh() == .unchanged(version: 1, isOtherContent: false))
        }
        #expect(service.trace == [#"fetched 1 ["a"]"#, #"applied 1 ["a"]"#, "unchanged 1"])
    }

    @Test("case 11: the cache of URL A is not used for URL B")
    func case11() async throws {
        try service.cache(v(1), url: "https://config.example/other.json")
        service.serve(status: 500)
        try await service.run { #expect($0.namespaces.isEmpty) }
        #expect(service.trace == ["failed status(500)"])
        try await service.run("https://config.example/other.json")
        #expect(service.trace == ["failed status(500)", #"cached 1 ["a"]"#, "failed status(500)"])
    }

    @Test("case 12: cache and default give cached, with gaps filled from the default")
    func case12() async throws {
        try service.cache(v(1, #""subject":{"language":"en"}"#))
        service.serve(status: 500)
        var bundle = Self.inA
        bundle.subject = EventSubject { ($0.userID, $0.language) = ("default", "fr") }
        try await service.run(default: [bundle]) { setup in
            let tracker = try #require(setup.tracker("a"))
            #expect(tracker.subject.effective.userID == "default")
            #expect(tracker.subject.effective.language == "en")
            #expect(tracker.subject.explanation(\.userID).source == .default)
            #expect(tracker.subject.explanation(\.language).source == .remote)
            #expect(tracker.subject.explanation(\.language).version == 1)
            #expect(tracker.network.endpoint == "v1.example")
        }
        #expect(service.trace == [#"cached 1 ["a"]"#, "failed status(500)"])
    }

    @Test(
        "case 13: malformed JSON or a missing key is rejected; active document and cache stay",
        arguments: ["{", "", "[]", #"{"configurationVersion":2}"#, "<html>"])
    func case13(text: String) async throws {
        try service.cache(v(1))
        let before = service.cacheFiles
        service.serve(text)
        try await service.run { setup in
            let tracker = try #require(setup.tracker("a"))
            #expect(tracker.subject.userID == "v1")
            await tracker.deliver()
        }
        guard service.outcomes.first?.kind == .rejected else {
            Issue.record("\(service.trace)")
            return
        }
        #expect(service.updates.map(\.state) == [.cached])
        #expect(service.delivered.map { $0["uid"] } == ["v1"])
        #expect(service.cacheFiles == before)
    }

    @Test("case 14: a round trip through the cache keeps every field, and absent sections stay absent")
    func case14() async throws {
        let text = DocumentText.document(1, EveryField.bundle, DocumentText.bundle("bare"))
        service.serve(text)
        try await service.run()
        let first = try #require(service.updates.first?.trackers["all"]).layers.explanations
        service.serve(status: 500)
        try await service.run { setup in
            let again = try #require(setup.tracker("all")).layers.explanations
            #expect(again.map(\.field) == first.map(\.field))
            #expect(again == first)
            let bare = try #require(setup.tracker("bare")).layers.explanations
            let remote = bare.filter { $0.source == .remote }.map(\.field)
            #expect(remote == ["network.endpoint"])
        }
        #expect(service.trace.suffix(2) == [#"cached 1 ["all", "bare"]"#, "failed status(500)"])
        let documented = first.filter { $0.source == .remote }.map(\.field)
        #expect(documented == EveryField.names)
    }

    @Test("case 15: a corrupt cache is as if absent")
    func case15() async throws {
        try service.cache(v(1))
        let file = try #require(service.cacheFiles.keys.first)
        service.directory.write("garbage", to: "cache/\(file)")
        service.serve(status: 500)
        try await service.run(default: [Self.inA], version: 0)
        #expect(service.trace == [#"default 0 ["a"]"#, "failed status(500)"])
        #expect(service.updates[0].warnings.map(\.place) == ["cache"])
    }

    @Test("case 16: a URL without scheme is fetched by https, and is the same document in the cache")
    func case16() async throws {
        service.serve(v(1))
        try await service.run("config.example/trackers.json")
        #expect(service.fetches.map(\.url) == [Service.url])
        service.serve(status: 500)
        try await service.run()
        #expect(service.trace.suffix(2) == [#"cached 1 ["a"]"#, "failed status(500)"])
    }

    @Test("case 17: a default that is not lower than the cache is used", arguments: [5, 3])
    func case17(version: Int) async throws {
        try service.cache(v(3))
        service.serve(status: 500)
        try await service.run(default: [Self.inA], version: version) { setup in
            #expect(setup.tracker("a")?.subject.userID == nil)
        }
        #expect(service.trace == [#"default \#(version) ["a"]"#, "failed status(500)"])
    }
}
