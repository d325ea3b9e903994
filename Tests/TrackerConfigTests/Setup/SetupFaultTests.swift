import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerCore
import TrackerLoopbackServer

/// Everything that can be wrong with the way and the disk, one by one, through a whole setup.
@Suite("A setup when things fail", .endsWhenItHangs)
struct SetupFaultTests {
    /// What a server does in place of giving the document, and what the setup says of it.
    struct Fault: Sendable, CustomTestStringConvertible {
        let name: String
        let outcome: String
        let reason: String
        let reply: ServerReply

        init(_ name: String, _ outcome: String, _ reason: String, _ reply: ServerReply) {
            (self.name, self.outcome, self.reason, self.reply) = (name, outcome, reason, reply)
        }

        var testDescription: String { name }
    }

    private static func head(_ rest: String) -> ServerReply { .raw(Array("HTTP/1.1 200 OK\r\n\(rest)".utf8)) }

    private static func document(_ version: Int) -> String {
        DocumentText.document(version, DocumentText.bundle("a", #""tracker":{"appId":"\#(version)"}"#))
    }

    private static func good(_ version: Int) -> ServerReply {
        .response(status: 200, body: Array(document(version).utf8))
    }

    private static func gzip(_ body: [UInt8]) -> ServerReply {
        .response(status: 200, headers: [("Content-Encoding", "gzip")], body: body)
    }

    static let faults: [Fault] = [
        Fault("no answer", "failed transport", "cannot fetch http://127.0.0.1:", .drop),
        // libcurl takes it for a whole answer; an empty document is none.
        Fault("no end of the head", "rejected malformed", "/trackers.json: the response is empty", head("Content-Le")),
        Fault(
            "a body cut within a chunk", "failed transport", "cannot fetch http://127.0.0.1:",
            head("Transfer-Encoding: chunked\r\n\r\nfff\r\n\(document(2))")),
        Fault(
            "bytes that trickle", "failed timeout", "no document within",
            .stream(status: 200) { writer in
                // Each byte comes well within the timeout, all of them never.
                while writer.write([UInt8(ascii: " ")]) { usleep(20_000) }
            }),
        Fault(
            "a page of HTML", "rejected malformed",
            "/trackers.json: the response is not JSON, it begins with \"<html>\" (text/html); is a proxy in between?",
            .response(status: 200, headers: [("Content-Type", "text/html")], body: Array("<html>Sign in</html>".utf8))),
        Fault(
            "200 without a body", "rejected malformed", "/trackers.json: the response is empty", .response(status: 200)),
        Fault("204", "failed status(204)", "/trackers.json: status 204", .response(status: 204)),
        Fault("503", "failed status(503)", "/trackers.json: status 503", .response(status: 503)),
        Fault(
            "304 without a condition", "failed status(304)", "status 304 to a request without a condition",
            .response(status: 304)),
        Fault(
            "a redirect to itself", "failed redirect", "more than 5 redirects",
            .response(status: 302, headers: [("Location", "/trackers.json")])),
        Fault("gzip that is none", "failed transport", "cannot fetch http://127.0.0.1:", gzip(Array("{}".utf8))),
        Fault("a bomb", "failed tooLarge", "larger than 100000 bytes", gzip(Gzip.zeros(atLeast: 8 << 20))),
    ]

    private let service = Service()

    @Test(
        "a fault on the way: the outcome says which, the old document goes on, the next one is applied",
        arguments: faults)
    func way(fault: Fault) async throws {
        let reply = Locked(fault.reply)
        let site = try Site { _ in reply.withLock { $0 } }
        try service.cache(Self.document(1), url: site.url())
        let files = service.cacheFiles
        // Only what never ends is to reach the timeout, however slow the machine is.
        let isSlow = fault.outcome == "failed timeout"
        let setup = try service.start(
            site.url(), configure: { $0.transport = CurlTransport() },
            remote: {
                $0.timeout = isSlow ? .milliseconds(300) : .seconds(200)
                $0.maxDocumentSize = 100_000
            })
        let outcome = await service.settled()
        #expect(outcome.short == fault.outcome)
        #expect(outcome.reason?.contains(fault.reason) == true, "\(outcome)")
        #expect(setup.tracker("a")?.settings.appID == "1")
        #expect(service.updates.map(\.state) == [.cached])
        #expect(service.cacheFiles == files)
        if !isSlow {
            reply.withLock { $0 = Self.good(3) }
            #expect(await setup.refresh() == .applied(version: 3, namespaces: ["a"]))
            #expect(setup.tracker("a")?.settings.appID == "3")
        }
        await setup.shutdown(timeout: .zero)
    }

    @Test("a server that goes away and comes back on its port")
    func serverDown() async throws {
        let first = try LoopbackServer { _ in Self.good(1) }
        let setup = try service.start(
            "\(first.url)/trackers.json", configure: { $0.transport = CurlTransport() },
            remote: { $0.timeout = .seconds(200) })
        #expect(await service.settled().short == #"applied 1 ["a"]"#)
        let port = first.port
        first.stop()
        let outcome = await setup.refresh()
        #expect(outcome.short == "failed transport")
        #expect(outcome.reason?.contains("127.0.0.1:\(port)") == true)
        let second = try LoopbackServer(port: port) { _ in Self.good(2) }
        #expect(await setup.refresh() == .applied(version: 2, namespaces: ["a"]))
        second.stop()
        await setup.shutdown(timeout: .zero)
    }

    @Test(
        "a disk that is full at any point of the start or the fetch ends nothing",
        .enabled(if: Tmpfs.isAllowed, "no mount here"), arguments: ["state", "cache"])
    func fullDisk(place: String) async throws {
        // From no page at all up to where everything fits but the events.
        for pages in [0, 1, 2, 4, 8] {
            let service = Service()
            let disk = try Tmpfs(kilobytes: 64)
            let filler = [UInt8](repeating: 1, count: 4096 * (16 - pages))
            #expect(FileManager.default.createFile(atPath: "\(disk.path)/filler", contents: Data(filler)))
            service.serve(Self.document(1))
            let setup = try service.start(configure: {
                if place == "state" { $0.stateDirectory = disk.path } else { $0.cacheDirectory = disk.path }
            })
            #expect(await service.settled().short == #"applied 1 ["a"]"#, "\(pages) pages")
            if pages == 0 {
                let reasons = service.updates[0].warnings.map(\.reason)
                #expect(reasons.contains { $0.contains("No space left on device") }, "\(reasons)")
            }
            await setup.tracker("a")?.deliver()
            #expect(service.delivered.count == 1, "\(pages) pages")
            // With room again the next document is cached, and the next process starts from it.
            try FileManager.default.removeItem(atPath: "\(disk.path)/filler")
            service.serve(Self.document(2))
            #expect(await setup.refresh() == .applied(version: 2, namespaces: ["a"]))
            await setup.shutdown(timeout: .zero)
            if place == "cache" {
                #expect(DiskCache(directory: disk.path).entries(for: Service.url).first?.version == 2)
                let names = try FileManager.default.contentsOfDirectory(atPath: disk.path)
                #expect(names.filter { $0.hasSuffix(".tmp") } == [])
            }
        }
    }

    @Test(
        "a read-only disk for cache and state: what is cached is used, what is fetched is applied",
        .enabled(if: Tmpfs.isAllowed, "no mount here"))
    func readOnlyDisk() async throws {
        let disk = try Tmpfs(kilobytes: 1024)
        let configure = { @Sendable (options: inout SetupOptions) in
            options.cacheDirectory = disk.path
            options.stateDirectory = disk.path
        }
        service.serve(Self.document(1))
        try await service.started(configure: configure).shutdown(timeout: .zero)
        // The last file of the first setup is closed a moment after its last owner ends.
        try await waitUntil("the disk is read-only") { (try? disk.makeReadOnly()) != nil }
        service.serve(Self.document(2))
        let second = try service.start(configure: configure)
        #expect(await service.settled() == .applied(version: 2, namespaces: ["a"]))
        #expect(service.trace.suffix(3) == [#"cached 1 ["a"]"#, #"fetched 2 ["a"]"#, #"applied 2 ["a"]"#])
        #expect(service.updates[1].warnings.contains { $0.place == "event store" })
        #expect(service.updates[2].warnings.map(\.place) == ["cache"])
        await second.tracker("a")?.deliver()
        #expect(service.delivered.count == 1)
        await second.shutdown(timeout: .zero)
    }
}
