import TestSupport
import Testing
import TrackerConfig
import TrackerFeatures
import TrackerLoopbackServer

/// When a setup asks with conditions: only where the active document is the cached one.
@Suite("Conditional requests of a setup", .endsWhenItHangs)
struct ConditionalRequestTests {
    private let service = Service()
    private let validators = DocumentValidators(entityTag: "\"1\"", lastModified: "then")

    private func document(_ version: Int) -> String { DocumentText.document(version, DocumentText.bundle()) }

    /// The conditions of the requests so far.
    private var conditions: [[String?]] {
        service.fetches.map { request in
            ["If-None-Match", "If-Modified-Since"].map { name in request.headers.first { $0.name == name }?.value }
        }
    }

    @Test("after a cached start the request has the cache's validators, and 304 changes nothing")
    func cachedStart() async throws {
        try service.cache(document(1), validators: validators)
        service.serve(status: 304)
        try await service.run()
        #expect(conditions == [["\"1\"", "then"]])
        #expect(service.trace == [#"cached 1 ["a"]"#, "notModified"])
    }

    @Test("after a default start over a lower cache the request is unconditional", arguments: [2, 1])
    func defaultStart(version: Int) async throws {
        try service.cache(document(1), validators: validators)
        service.serve(status: 304)
        let bundle = ConfigurationBundle(namespace: "a", network: NetworkConfiguration(endpoint: "c.example"))
        try await service.run(default: [bundle], version: version)
        #expect(conditions == [[nil, nil]])
        #expect(service.trace == [#"default \#(version) ["a"]"#, "failed status(304)"])
    }

    @Test("after a fetch the request has that document's validators, until another is applied")
    func afterFetch() async throws {
        func date(_ version: Int) -> String { "Sun, 06 Nov 1994 08:49:3\(version) GMT" }
        func tagged(_ version: Int, _ tag: String) {
            service.serve(
                document(version),
                headers: [
                    HTTPHeader(name: "ETag", value: tag), HTTPHeader(name: "Last-Modified", value: date(version)),
                ])
        }
        tagged(2, "two")
        try await service.run { setup in
            service.serve(status: 304)
            #expect(await setup.refresh() == .notModified)
            tagged(1, "one")
            #expect(await setup.refresh() == .stale(version: 1, newest: 2))
            service.serve("{", headers: [HTTPHeader(name: "ETag", value: "bad")])
            await setup.refresh()
            service.serve(status: 500)
            await setup.refresh()
            tagged(3, "three")
            #expect(await setup.refresh() == .applied(version: 3, namespaces: ["a"]))
            await setup.refresh()
        }
        let (two, three) = (["two", date(2)], ["three", date(3)])
        #expect(conditions == [[nil, nil], two, two, two, two, two, three])
        // The next process has them from the cache.
        try await service.run()
        #expect(conditions.last == three)
    }

    @Test("a document without validators is asked for unconditionally, and a 304 then is a failure")
    func noValidators() async throws {
        service.serve(document(1))
        try await service.run { setup in
            service.serve(status: 304)
            await setup.refresh()
        }
        #expect(conditions == [[nil, nil], [nil, nil]])
        #expect(service.trace.last == "failed status(304)")
    }

    @Test("the whole way over libcurl: fetched, cached, not modified, and one connection for all of a process")
    func loopback() async throws {
        let site = try Site { [text = document(1)] request in
            request.header("If-None-Match") == "\"x\""
                ? .response(status: 304)
                : .response(status: 200, headers: [("ETag", "\"x\"")], body: Array(text.utf8))
        }
        func run() async throws -> [ConfigurationOutcome] {
            // However slow the machine is, no connection is too old to be reused.
            let transport = CurlTransport(threadName: "tracker-fetch", maxIdleTime: .seconds(86_400))
            let setup = try service.start(
                site.url(), configure: { $0.transport = transport }, remote: { $0.timeout = .seconds(240) })
            let outcomes = [await service.settled(), await setup.refresh()]
            await setup.shutdown(timeout: .zero)
            return outcomes
        }
        #expect(try await run() == [.applied(version: 1, namespaces: ["a"]), .notModified])
        #expect(try await run() == [.notModified, .notModified])
        #expect(site.requests.map(\.connection) == [1, 1, 2, 2])
        #expect(site.lines == Array(repeating: "GET /trackers.json", count: 4))
    }
}
