import TestSupport
import Testing
import TrackerConfig
import TrackerCore
import TrackerTesting

/// Which collectors a document may name, and what they get.
@Suite("Collectors of a document", .endsWhenItHangs)
struct CollectorPolicyTests {
    private let service = Service()
    private let secret = [HTTPHeader(name: "Authorization", value: "secret")]

    private func document(_ version: Int, _ endpoints: String...) -> String {
        let bundles = zip(["a", "b"], endpoints).map { namespace, endpoint in
            #"{"namespace":"\#(namespace)","networkConfiguration":{"endpoint":"\#(endpoint)"}}"#
        }
        return DocumentText.document(version, bundles.joined(separator: ",\n"))
    }

    /// Starts with a list of allowed collectors and ends the first fetch.
    private func start(
        _ allowed: [String]?, url: String = Service.url, default bundles: [ConfigurationBundle] = []
    ) async throws -> (Setup, ConfigurationOutcome) {
        let setup = try service.start(url, default: bundles, remote: { $0.allowedCollectors = allowed })
        return (setup, await service.settled())
    }

    private var warnings: [String] { service.updates.flatMap { $0.warnings.map(\.description) } }

    @Test("a document that names another collector is rejected whole, with place and position")
    func rejects() async throws {
        service.serve(document(3, "https://c.example", "https://evil.example/c.example"))
        let (setup, outcome) = try await start(["https://c.example"])
        guard let error = outcome.configurationError else { return #expect(Bool(false), "\(outcome)") }
        #expect(error.code == .forbiddenCollector)
        #expect(error.place == "configurationBundle[1].networkConfiguration.endpoint")
        #expect(error.version == 3)
        #expect(error.position?.line == 2)
        #expect(error.description.contains("https://evil.example is not among the allowed collectors (line 2, column"))
        #expect(setup.namespaces == [])
        await setup.shutdown(timeout: .zero)
    }

    @Test(
        "a document that names allowed collectors is applied",
        arguments: [["https://c.example", "*.d.example"], ["c.example", "a.d.example", "x.example"]])
    func applies(allowed: [String]) async throws {
        service.serve(document(1, "https://c.example/path", "https://a.d.example:443"))
        let (setup, outcome) = try await start(allowed)
        #expect(outcome == .applied(version: 1, namespaces: ["a", "b"]))
        await setup.shutdown(timeout: .zero)
    }

    @Test("an empty list allows the default's collectors alone")
    func emptyList() async throws {
        let bundle = ConfigurationBundle(
            namespace: "a", network: NetworkConfiguration(endpoint: "https://first.example"))
        service.serve(document(1, "https://first.example/path"))
        let (setup, outcome) = try await start([], default: [bundle])
        #expect(outcome == .applied(version: 1, namespaces: ["a"]))
        service.serve(document(2, "https://third.example"))
        guard await setup.refresh().kind == .rejected else { return #expect(Bool(false)) }
        // What code sets is not checked.
        try setup.tracker("a")?.network.set(\.endpoint, to: "https://third.example")
        await setup.shutdown(timeout: .zero)
    }

    @Test("a cached document that names another collector is passed over")
    func cached() async throws {
        try service.cache(document(1, "https://evil.example"))
        service.serve(status: 500)
        let (setup, _) = try await start(["https://c.example"])
        #expect(setup.namespaces == [])
        await setup.shutdown(timeout: .zero)
        let (free, _) = try await start(nil)
        #expect(free.namespaces == ["a"])
        await free.shutdown(timeout: .zero)
    }

    @Test(
        "a collector that is unencrypted or on this machine is warned of once",
        arguments: [
            ("http://c.example", "gets events unencrypted"), ("https://127.1:8080", "is this machine itself"),
            ("https://localhost", "is this machine itself"), ("http://2130706433", "is this machine itself"),
        ])
    func warns(endpoint: String, reason: String) async throws {
        service.serve(document(1, "https://c2.example", endpoint))
        let (setup, _) = try await start(nil)
        service.serve(document(2, "https://c2.example", endpoint + "/path"))
        #expect(await setup.refresh() == .applied(version: 2, namespaces: ["a", "b"]))
        #expect(warnings.count == 1)
        #expect(warnings.first?.hasPrefix("configurationBundle[1].networkConfiguration.endpoint: ") == true)
        #expect(warnings.first?.contains(reason) == true)
        #expect(service.log.records.filter { $0.level == .warning && $0.message.contains(reason) }.count == 1)
        await setup.shutdown(timeout: .zero)
    }

    @Test("a collector is not warned of if the default names it, or if document and collector are both local")
    func doesNotWarn() async throws {
        let bundle = ConfigurationBundle(namespace: "a", network: NetworkConfiguration(endpoint: "http://c.example"))
        service.serve(document(1, "http://c.example/other"))
        let (setup, _) = try await start(nil, default: [bundle])
        #expect(warnings == [])
        await setup.shutdown(timeout: .zero)
        for url in ["http://127.0.0.1:9/x.json", "http://localhost/x.json", "file:///x.json"] {
            let source = MemorySource(document(9, "http://127.0.0.1:8"))
            let local = try service.start(url, configure: { $0.source = source })
            #expect(await service.settled() == .applied(version: 9, namespaces: ["a"]))
            #expect(warnings == [])
            await local.shutdown(timeout: .zero)
        }
    }

    /// The values of `Authorization` by the collectors that got a request.
    private func authorised() -> [String: String?] {
        var values: [String: String?] = [:]
        for request in service.transport.requests where !request.url.hasPrefix(Service.url) {
            let host = request.url.split(separator: "/")[1]
            values.updateValue(request.headers.first { $0.name == "Authorization" }?.value, forKey: String(host))
        }
        return values
    }

    private func track(_ setup: Setup) async throws {
        try #require(setup.tracker("a")).track(Structured(category: "a", action: "b"))
        await setup.tracker("a")?.flush(timeout: .seconds(30))
    }

    @Test("request headers set in code go to the servers that code names and to no other, which is warned of once")
    func headers() async throws {
        let bundle = ConfigurationBundle(
            namespace: "a",
            network: NetworkConfiguration {
                $0.endpoint = "https://own.example"
                $0.requestHeaders = secret
            })
        service.serve(document(1, "https://own.example/path"))
        let (setup, _) = try await start(nil, default: [bundle])
        try await track(setup)
        for (index, host) in ["evil.example", "own.example:8443", "evil.example"].enumerated() {
            service.serve(document(index + 2, "https://\(host)"))
            _ = await setup.refresh()
            try await track(setup)
        }
        #expect(
            authorised() == ["own.example": "secret", "evil.example": nil, "own.example:8443": nil])
        let lines = service.log.records.filter { $0.message.contains("request headers are not sent to") }
        #expect(lines.map(\.level) == [.warning, .warning])
        #expect(lines.allSatisfy { $0.namespace == "a" })
        #expect(lines.first?.message.contains("https://evil.example, which only the document names") == true)
        // A collector that code sets at run time is one that code names.
        try setup.tracker("a")?.network.set(\.endpoint, to: "https://evil.example")
        try await track(setup)
        #expect(authorised()["evil.example"] == "secret")
        await setup.shutdown(timeout: .zero)
    }

    @Test("if code names no collector, its headers go to the allowed ones", arguments: [true, false])
    func headersWithoutEndpoint(isAllowed: Bool) async throws {
        let bundle = ConfigurationBundle(namespace: "a", network: NetworkConfiguration { $0.requestHeaders = secret })
        service.serve(document(1, "https://c.example"))
        let (setup, _) = try await start(isAllowed ? ["*.example", "c.example"] : nil, default: [bundle])
        try await track(setup)
        #expect(authorised() == ["c.example": isAllowed ? "secret" : nil])
        #expect(service.log.contains("request headers are not sent to https://c.example") != isAllowed)
        await setup.shutdown(timeout: .zero)
    }

    @Test("a move of a namespace to another server is logged")
    func moves() async throws {
        service.serve(document(1, "https://one.example"))
        let (setup, _) = try await start(nil)
        for (version, url) in [
            (2, "https://one.example/path"), (3, "https://two.example"), (4, "http://two.example:81"),
        ] {
            service.serve(document(version, url))
            _ = await setup.refresh()
        }
        let lines = service.log.records.filter { $0.message.contains("moves namespace") }
        #expect(
            lines.map(\.description) == [
                "warning the document moves namespace 'a' from https://one.example to https://two.example",
                "warning the document moves namespace 'a' from https://two.example to http://two.example:81",
            ])
        await setup.shutdown(timeout: .zero)
    }
}
