import TestSupport
import Testing
import TrackerConfig
import TrackerFeatures
import TrackerLoopbackServer

/// What a source does with validators that a server gives and then refuses.
@Suite("Refused validators", .endsWhenItHangs)
struct RefusedValidatorTests {
    private let known = DocumentValidators(entityTag: "\"1\"", lastModified: "then")

    /// A site that refuses conditional requests, and has a document with a tag.
    private static func site(refusing status: Int, tag: String = "\"1\"") throws -> Site {
        try Site { request in
            guard request.header("If-None-Match") == nil, request.header("If-Modified-Since") == nil else {
                return .response(status: status)
            }
            return .response(status: 200, headers: [("ETag", tag)], body: Array("{}".utf8))
        }
    }

    @Test("after a 4xx to a conditional request the source asks without condition", arguments: [400, 431])
    func asksAgain(status: Int) async throws {
        let site = try Self.site(refusing: status, tag: "\"2\"")
        #expect(try await site.fetch("/x", known) == .document("{}", DocumentValidators(entityTag: "\"2\"")))
        #expect(site.requests.map { $0.header("If-None-Match") } == ["\"1\"", nil])
        #expect(site.requests.map { $0.header("If-Modified-Since") } == ["then", nil])
    }

    @Test(
        "a failure that does not depend on a condition is not asked again, and any other once",
        arguments: [(401, 1), (429, 1), (500, 1), (400, 2)])
    func fails(status: Int, requests: Int) async throws {
        let site = try Site { _ in .response(status: status) }
        #expect(try await site.fetch("/x", known).status == status)
        #expect(site.requests.count == requests)
        #expect(try await site.fetch("/x").status == status)
        #expect(site.requests.count == requests + 1)
    }

    @Test("a validator of more than 1 KiB is neither kept nor sent", arguments: [1024, 1025, 20_000])
    func bounded(length: Int) async throws {
        let tag = String(repeating: "a", count: length)
        let site = try Self.site(refusing: 304, tag: tag)
        let kept = length <= 1024 ? tag : nil
        #expect(try await site.fetch() == .document("{}", DocumentValidators(entityTag: kept)))
        _ = try await site.fetch("/x", DocumentValidators(entityTag: tag))
        #expect(site.requests.last?.header("If-None-Match") == kept)
        _ = try await site.fetch("/x", DocumentValidators(lastModified: tag))
        #expect(site.requests.last?.header("If-Modified-Since") == kept)
    }

    @Test("a setup whose server refuses the validators it gave goes on with the same server, also after a restart")
    func setup() async throws {
        let version = Locked(1)
        let site = try Site { request in
            guard request.header("If-None-Match") == nil else { return .response(status: 431) }
            let version = version.withLock { $0 }
            let text = DocumentText.document(version, DocumentText.bundle())
            return .response(status: 200, headers: [("ETag", "\"\(version)\"")], body: Array(text.utf8))
        }
        let service = Service()
        func outcomes() async throws -> [ConfigurationOutcome] {
            let setup = try service.start(
                site.url(), configure: { $0.transport = CurlTransport() }, remote: { $0.timeout = .seconds(240) })
            let first = await service.settled()
            version.withLock { $0 += 1 }
            let second = await setup.refresh()
            await setup.shutdown(timeout: .zero)
            return [first, second]
        }
        #expect(try await outcomes().map(\.short) == [#"applied 1 ["a"]"#, #"applied 2 ["a"]"#])
        version.withLock { $0 += 1 }
        #expect(try await outcomes().map(\.short) == [#"applied 3 ["a"]"#, #"applied 4 ["a"]"#])
    }
}
