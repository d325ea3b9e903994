import Foundation
import IntegrationTesting
import Testing
import TrackerConfig
import TrackerFeatures
import TrackerTesting

@testable import TrackerEtcd

@Suite(
    "EtcdSource", .timeLimit(.minutes(10)),
    .enabled(if: EtcdServer.isInstalled, "etcd is not installed: apt-get install etcd-server"))
struct EtcdSourceTests {
    private let key = "shop/trackers.json"

    private func source(
        _ options: EtcdOptions, maxDocumentSize: Int = 1 << 20, silence: Duration = .seconds(45)
    ) -> EtcdSource {
        EtcdSource(options, key: key, maxDocumentSize: maxDocumentSize, silence: silence)
    }

    private func failure(_ source: EtcdSource) async throws -> FetchError {
        do throws(FetchError) {
            _ = try await source.fetch(nil)
        } catch {
            return error
        }
        throw CocoaError(.featureUnsupported)
    }

    @Test("it keeps the promises of ConfigurationSource")
    func conformance() async throws {
        let server = try await EtcdServer()
        try await Conformance.check(source(server.options)) { document in
            if let document {
                try #require(await server.put(key, String(decoding: document, as: UTF8.self)))
            } else {
                try #require(await server.delete(key))
            }
        }
    }

    @Test("a change of the key is a hint, and a fetch transfers it only if its revision is another")
    func hints() async throws {
        let server = try await EtcdServer()
        let source = source(server.options)
        #expect(try await failure(source).status == 404)
        var iterator = try #require(source.changes()).makeAsyncIterator()
        #expect(try await iterator.next() == ChangeHint())
        #expect(await server.put(key, "one"))
        #expect(try await iterator.next() == ChangeHint())
        let validators = try #require(try await source.fetch(nil)).validators
        #expect(try await source.fetch(validators) == nil)
        #expect(try await source.fetch(DocumentValidators(entityTag: "\"other\""))?.validators == validators)
        #expect(await server.put("another key", "x"))
        #expect(try await source.fetch(validators) == nil)
        #expect(await server.put(key, "one"))
        #expect(try await iterator.next() == ChangeHint())
        #expect(try await source.fetch(validators)?.bytes == Array("one".utf8))
        #expect(await server.delete(key))
        #expect(try await iterator.next() == ChangeHint())
        #expect(try await failure(source).reason == "etcd has no key 'shop/trackers.json'")
    }

    @Test("a document of 10 MB is not taken, and its watch goes on")
    func large() async throws {
        let server = try await EtcdServer(["--max-request-bytes", "20000000"])
        let source = source(server.options)
        let follower = ChangeFollower(source)
        #expect(try await follower.wait { $0.isConnected })
        #expect(await server.put(key, String(repeating: "x", count: 10_000_000)))
        #expect(try await follower.wait { $0.hints.count == 1 })
        let error = try await failure(source)
        #expect(error.code == .tooLarge && error.reason == "the document is larger than 1048576 bytes")
        #expect(await server.put(key, "small"))
        #expect(try await follower.wait { $0.text == "small" })
        #expect(follower.current.connections == 1)
        await follower.stop()
    }

    @Test("a user's token is renewed, and a wrong password and a missing right are failures with the server's words")
    func access() async throws {
        let server = try await EtcdServer()
        for user in ["root", "shop", "other"] {
            #expect(await server.ask("/v3/auth/user/add", "{\"name\": \"\(user)\", \"password\": \"right\"}") != nil)
        }
        for role in ["root", "reader"] {
            #expect(await server.ask("/v3/auth/role/add", "{\"name\": \"\(role)\"}") != nil)
        }
        let permission = "{\"permType\": \"READ\", \"key\": \"\(key.base64)\"}"
        #expect(await server.ask("/v3/auth/role/grant", "{\"name\": \"reader\", \"perm\": \(permission)}") != nil)
        for (user, role) in [("root", "root"), ("shop", "reader")] {
            #expect(await server.ask("/v3/auth/user/grant", "{\"user\": \"\(user)\", \"role\": \"\(role)\"}") != nil)
        }
        #expect(await server.put(key, "one"))
        #expect(await server.ask("/v3/auth/enable", "{}") != nil)

        var options = server.options
        #expect(try await failure(source(options)).status ?? 0 >= 400)
        (options.username, options.password) = ("shop", "wrong")
        let wrong = source(options)
        #expect(try await failure(wrong).reason.contains("invalid user ID or password"))
        options.password = "right"
        let right = source(options)
        #expect(try await right.fetch(nil) != nil)
        options.username = "other"
        let other = source(options)
        #expect(try await failure(other).reason.contains("permission denied"))
        for (source, text) in [(wrong, "invalid user ID or password"), (other, "permission denied")] {
            let follower = ChangeFollower(source, reconnects: false)
            #expect(try await follower.wait { !$0.failures.isEmpty })
            let failure = follower.current.failures[0]
            #expect(failure.reason.contains(text) && 400..<500 ~= failure.status ?? 0, "\(failure)")
            #expect(follower.current.connections == 0)
            await follower.stop()
        }
        let follower = ChangeFollower(right)
        #expect(try await follower.wait { $0.text == "one" && $0.isConnected })
        // A member keeps tokens in memory.
        server.kill()
        try server.begin(0)
        #expect(try await follower.wait { $0.connections >= 2 })
        #expect(
            try await eventually {
                let token =
                    await server.ask("/v3/auth/authenticate", #"{"name": "root", "password": "right"}"#)?["token"]
                    as? String
                guard let token else { return false }
                return await server.put(key, "two", token: token)
            })
        #expect(try await follower.wait { $0.text == "two" })
        await follower.stop()
    }

    @Test("a member that stands still ends the watch, and one that has nothing to say does not")
    func silence() async throws {
        let server = try await EtcdServer()
        #expect(await server.put(key, "one"))
        var options = server.options
        options.timeout = .seconds(1)
        let follower = ChangeFollower(source(options, silence: .milliseconds(2400)), reconnects: false)
        #expect(try await follower.wait { $0.isConnected })
        // Longer than the silence that is allowed.
        for number in 0..<30 {
            try await Task.sleep(for: .milliseconds(100))
            #expect(await server.put("another key", "\(number)"))
        }
        #expect(follower.current.isConnected && follower.current.failures.isEmpty)
        server.send(SIGSTOP)
        #expect(try await follower.wait { !$0.isConnected })
        server.send(SIGCONT)
        #expect(follower.current.failures.map(\.code) == [.timeout])
        await follower.stop()
    }

    @Test("a watch that looks alive and has missed a change is closed")
    func hang() async throws {
        let server = try await EtcdServer()
        #expect(await server.put(key, "one"))
        let proxy = CuttingProxy(to: server.ports[0])
        var options = EtcdOptions(endpoints: ["http://127.0.0.1:\(proxy.port)"])
        options.timeout = .milliseconds(1500)
        let follower = ChangeFollower(source(options, silence: .seconds(6)))
        #expect(try await follower.wait { $0.isConnected })
        proxy.hang()
        #expect(await server.put(key, "two"))
        #expect(try await follower.wait { $0.text == "two" && $0.connections == 2 })
        let failures = follower.current.failures.map(\.reason)
        #expect(failures == ["the watch of etcd has missed a change"])
        await follower.stop()
    }

    @Test("members are asked in turn, and a leader that dies stops neither fetches nor hints")
    func members() async throws {
        let server = try await EtcdServer(members: 3)
        #expect(await server.put(key, "0"))
        var options = server.options
        options.timeout = .seconds(3)
        let follower = ChangeFollower(source(options))
        #expect(try await follower.wait { $0.text == "0" && $0.isConnected })
        // One of them is the leader.
        for member in 0..<3 {
            server.kill(member)
            #expect(try await eventually { await server.put(key, "\(member + 1)") })
            #expect(try await follower.wait { $0.text == "\(member + 1)" })
            try await server.start(member)
        }
        // Without a majority, nothing can be known: the watch says so.
        server.kill(0)
        server.kill(1)
        let connections = follower.current.connections
        #expect(try await follower.wait { !$0.isConnected })
        try server.begin(0)
        #expect(try await follower.wait { $0.isConnected && $0.connections > connections })
        #expect(try await eventually { await server.put(key, "last") })
        #expect(try await follower.wait { $0.text == "last" })
        await follower.stop()
    }

    @Test("40 setups apply each document that is published, without polls")
    func fleet() async throws {
        let server = try await EtcdServer()
        #expect(await server.put(key, String(decoding: DocumentSource.document(1), as: UTF8.self)))
        let transport = CurlTransport(maxConnections: 1000, maxConnectionsPerHost: 1000)
        let fleet = try Fleet(40) {
            EtcdSource(server.options, key: key, transport: transport)
        }
        for version in 2...3 {
            let isApplied = try await fleet.apply(version) { document in
                #expect(await server.put(key, String(decoding: document, as: UTF8.self)))
            }
            try #require(isApplied)
        }
        await fleet.shutdown()
    }

    @Test("of many cuts, none loses a document", arguments: [1])
    func cuts(seed: UInt64) async throws {
        let server = try await EtcdServer()
        let proxy = CuttingProxy(to: server.ports[0])
        var options = EtcdOptions(endpoints: ["http://127.0.0.1:\(proxy.port)"])
        options.timeout = .milliseconds(500)
        let follower = ChangeFollower(source(options, silence: .milliseconds(600)))
        let random = SeededRandom(seed: seed)
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        let count = Search.count(40)
        for number in 1...count {
            let isBefore = random.next() % 2 == 0
            if isBefore { #expect(try await eventually { await server.put(key, "\(number)") }) }
            switch number % 10 {
            case 0:
                server.kill()
                try await server.start()
            case 1:
                server.send(SIGSTOP)
                try await Task.sleep(for: .milliseconds(Int64(random.next() % 400)))
                server.send(SIGCONT)
            case 2: proxy.hang()
            case 3:
                let revision = try #require(await server.revision())
                await server.ask("/v3/kv/compaction", "{\"revision\": \"\(revision)\"}")
            case 4: #expect(await server.delete(key))
            default: proxy.cut()
            }
            let isThere = await server.has(key)
            if !isBefore || !isThere {
                #expect(try await eventually { await server.put(key, "\(number)") })
            }
            try #require(try await follower.wait { $0.text == "\(number)" }, "version \(number) was missed")
        }
        #expect(follower.current.connections > count / 4)
        await follower.stop()
        // Other tests have some too.
        let left = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        #expect(left < descriptors + count / 2 + 200)
    }
}
