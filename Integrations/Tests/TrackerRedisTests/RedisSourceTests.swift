import Foundation
import IntegrationTesting
import Testing
import TrackerConfig
import TrackerFeatures
import TrackerTesting

@testable import TrackerRedis

@Suite("RedisSource", .timeLimit(.minutes(10)))
struct RedisSourceTests {
    private let key = "shop/trackers.json"

    private func source(_ server: RedisServer, silence: Duration = .seconds(45)) -> RedisSource {
        RedisSource(server.options, key: key, silence: silence)
    }

    private func set(_ text: String, _ server: RedisServer) throws {
        let answer = try server.ask("SET", key, text)
        #expect(answer == .text("OK"))
    }

    private func publish(_ message: String, _ server: RedisServer) throws {
        #expect(try server.ask("PUBLISH", key, message) == .integer(1))
    }

    private func failure(_ source: RedisSource, _ validators: DocumentValidators? = nil) async throws -> FetchError {
        do throws(FetchError) {
            _ = try await source.fetch(validators)
        } catch {
            return error
        }
        throw CocoaError(.featureUnsupported)
    }

    @Test("it keeps the promises of ConfigurationSource")
    func conformance() async throws {
        let server = try await RedisServer()
        defer { server.kill() }
        try await Conformance.check(source(server)) { document in
            if let document {
                try set(String(decoding: document, as: UTF8.self), server)
            } else {
                _ = try server.ask("DEL", key)
            }
            _ = try server.ask("PUBLISH", key, "")
        }
    }

    @Test("a document that has not changed, or is too large, is not transferred")
    func transfers() async throws {
        let server = try await RedisServer()
        defer { server.kill() }
        try set(String(repeating: "x", count: 500_000), server)
        let document = try #require(try await source(server).fetch(nil))
        #expect(document.bytes.count == 500_000)
        let sent = try server.sentBytes()
        #expect(try await source(server).fetch(document.validators) == nil)
        #expect(
            try #require(try await source(server).fetch(DocumentValidators(entityTag: "other"))).bytes.count == 500_000)
        try set(String(repeating: "x", count: 10_000_000), server)
        let error = try await failure(source(server))
        #expect(error.code == .tooLarge && error.reason == "the document is larger than 1048576 bytes")
        #expect(500_000..<520_000 ~= (try server.sentBytes()) - sent)
    }

    @Test("any bytes come as they are, an empty document too, and other values are refused with a sentence")
    func values() async throws {
        let server = try await RedisServer()
        defer { server.kill() }
        _ = try server.ask("EVAL", #"return redis.call('SET', KEYS[1], '\255\0é')"#, "1", key)
        #expect(try #require(try await source(server).fetch(nil)).bytes == [255, 0] + Array("é".utf8))
        try set("", server)
        #expect(try #require(try await source(server).fetch(nil)).bytes == [])
        _ = try server.ask("DEL", key)
        let missing = try await failure(source(server))
        #expect(missing.status == 404 && missing.reason == "Redis has no key 'shop/trackers.json'")
        _ = try server.ask("LPUSH", key, "1")
        #expect(try await failure(source(server)).reason.contains("WRONGTYPE"))
    }

    @Test("messages are hints, with a version or without")
    func messages() async throws {
        let server = try await RedisServer()
        defer { server.kill() }
        var hints = try #require(source(server).changes()).makeAsyncIterator()
        #expect(try await hints.next() == ChangeHint())
        for (message, hint) in [
            (#"{"version": 9, "spread": 30, "etag": "x"}"#, ChangeHint(version: 9, spread: .seconds(30))),
            ("", ChangeHint()), ("set", ChangeHint()), ("[1]", ChangeHint()), ("\u{0}", ChangeHint()),
            (#"{"version": 8}"#, ChangeHint(version: 8)),
        ] {
            try publish(message, server)
            #expect(try await hints.next() == hint)
        }
        for message in ["{", #"{"version": "nine"}"#] {
            try publish(message, server)
            #expect(try await hints.next()?.version == nil)
        }
    }

    @Test("keyspace notifications are messages too")
    func keyspace() async throws {
        let server = try await RedisServer(["--notify-keyspace-events", "K$g"])
        defer { server.kill() }
        let follower = ChangeFollower(
            RedisSource(server.options, key: key, channel: "__keyspace@0__:\(key)", silence: .seconds(45)))
        #expect(try await follower.wait { $0.isConnected })
        try set("one", server)
        #expect(try await follower.wait { $0.text == "one" })
        await follower.stop()
    }

    @Test("a message of 10 MB ends the connection, and the next one works")
    func largeMessage() async throws {
        let server = try await RedisServer()
        defer { server.kill() }
        let follower = ChangeFollower(source(server))
        #expect(try await follower.wait { $0.isConnected })
        _ = try server.ask("PUBLISH", key, String(repeating: "x", count: 10_000_000))
        #expect(try await follower.wait { $0.connections == 2 })
        #expect(follower.current.failures.map(\.reason) == ["Redis sent a message larger than 65536 bytes"])
        #expect(follower.current.hints.isEmpty)
        try set("two", server)
        try publish("", server)
        #expect(try await follower.wait { $0.text == "two" })
        await follower.stop()
    }

    @Test("a server that was killed and restarted, and a connection that it closes, are connected to again")
    func restart() async throws {
        let server = try await RedisServer()
        defer { server.kill() }
        try set("1", server)
        let follower = ChangeFollower(source(server))
        #expect(try await follower.wait { $0.text == "1" })
        server.kill()
        #expect(try await follower.wait { !$0.isConnected && $0.failures.count > 1 })
        #expect(follower.current.failures.allSatisfy { $0.code == .transport })
        try await server.start()
        #expect(try await follower.wait { $0.isConnected })
        // Nobody hears this one.
        _ = try server.ask("CLIENT", "KILL", "TYPE", "pubsub")
        try set("2", server)
        #expect(try await follower.wait { $0.text == "2" })
        await follower.stop()
        #expect(try await eventually { try server.ask("PUBSUB", "NUMSUB", key) == .list([.text(key), .integer(0)]) })
    }

    @Test("a server that stands still ends the connection, and one that has nothing to say does not")
    func silence() async throws {
        let server = try await RedisServer()
        defer { server.kill() }
        try set("1", server)
        let follower = ChangeFollower(source(server, silence: .milliseconds(1500)), reconnects: false)
        #expect(try await follower.wait { $0.isConnected })
        // Longer than the silence that is allowed: one comes after each third of it.
        let pings = try server.count(of: "ping")
        #expect(try await eventually { try server.count(of: "ping") > pings + 4 })
        #expect(follower.current.isConnected && follower.current.failures.isEmpty)
        server.send(SIGSTOP)
        #expect(try await follower.wait { !$0.isConnected })
        server.send(SIGCONT)
        #expect(follower.current.failures.map(\.reason) == ["Redis sent nothing for 1.5 seconds"])
        #expect(follower.current.failures.map(\.code) == [.timeout])
        await follower.stop()
    }

    @Test("a wrong password, and a channel that the user must not read, are failures with the server's words")
    func access() async throws {
        let server = try await RedisServer(["--requirepass", "right"])
        defer { server.kill() }
        _ = try server.ask("ACL", "SETUSER", "reader", "on", ">right", "~*", "+@all", "resetchannels")
        try set("1", server)
        var options = server.options
        options.password = "wrong"
        let wrong = RedisSource(options, key: key)
        #expect(try await failure(wrong).reason.contains("WRONGPASS"))
        (options.username, options.password) = ("reader", "right")
        let reader = RedisSource(options, key: key)
        #expect(try await reader.fetch(nil) != nil)
        for (source, word) in [(wrong, "WRONGPASS"), (reader, "NOPERM")] {
            let follower = ChangeFollower(source, reconnects: false)
            #expect(try await follower.wait { !$0.failures.isEmpty })
            #expect(follower.current.failures[0].reason.contains(word) && follower.current.connections == 0)
            await follower.stop()
        }
        // The rights that the documentation names are enough.
        let rights = ["+eval", "+get", "+strlen", "+subscribe", "+ping", "~\(key)", "&\(key)"]
        let user = ["ACL", "SETUSER", "least", "on", ">right"] + rights
        #expect(try server.ask(user) == .text("OK"))
        options.username = "least"
        let follower = ChangeFollower(RedisSource(options, key: key, silence: .milliseconds(1500)), reconnects: false)
        #expect(try await follower.wait { $0.isConnected })
        try set("2", server)
        try publish("", server)
        #expect(try await follower.wait { $0.text == "2" })
        let pings = try server.count(of: "ping")
        #expect(try await eventually { try server.count(of: "ping") > pings + 4 })
        #expect(follower.current.failures.isEmpty)
        await follower.stop()
    }

    @Test("100 connections have no thread, and leave no descriptor")
    func resources() async throws {
        let server = try await RedisServer()
        defer { server.kill() }
        let path = server.socket
        // In a process of its own, because other tests have threads and descriptors too.
        await #expect(processExitsWith: .success) { [path = path as String] in
            // Of sockets: Dispatch may make its first timer, which has a descriptor too, at any time.
            func descriptors() throws -> Int {
                try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { name in
                    let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
                    return target?.hasPrefix("socket:") == true
                }
            }
            func threads() throws -> Int {
                try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count { id in
                    let name = try? String(contentsOfFile: "/proc/self/task/\(id)/comm", encoding: .utf8)
                    return name == "tracker-redis\n"
                }
            }
            var options = RedisOptions(unixSocket: path)
            options.timeout = .seconds(30)
            let source = RedisSource(options, key: "a")
            let first = ChangeFollower(source)
            #expect(try await first.wait { $0.isConnected })
            let before = try descriptors()
            let followers = (0..<100).map { _ in ChangeFollower(source) }
            for follower in followers { #expect(try await follower.wait { $0.isConnected }) }
            #expect(try descriptors() >= before + 100)
            // No child inherits them: 02000000 is O_CLOEXEC, and 04000 O_NONBLOCK.
            let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fdinfo")
            let open = names.count { name in
                let information = try? String(contentsOfFile: "/proc/self/fdinfo/\(name)", encoding: .utf8)
                return information?.contains("flags:\t02004002\n") == true
            }
            #expect(open >= 101)
            #expect(try await eventually { try threads() == 0 })
            for follower in followers { await follower.stop() }
            #expect(try await eventually { try descriptors() <= before })
            await first.stop()
        }
    }

    @Test("40 setups apply each document that is published, without polls")
    func fleet() async throws {
        let server = try await RedisServer()
        defer { server.kill() }
        try set(String(decoding: DocumentSource.document(1), as: UTF8.self), server)
        let fleet = try Fleet(40) { source(server) }
        #expect(try await eventually { try server.ask("PUBSUB", "NUMSUB", key) == .list([.text(key), .integer(40)]) })
        for version in 2...3 {
            let isApplied = try await fleet.apply(version) { document in
                try set(String(decoding: document, as: UTF8.self), server)
                _ = try server.ask("PUBLISH", key, #"{"version": \#(version)}"#)
            }
            try #require(isApplied)
        }
        await fleet.shutdown()
        #expect(try await eventually { try server.ask("PUBSUB", "NUMSUB", key) == .list([.text(key), .integer(0)]) })
    }

    @Test("of many cuts, none loses a document", arguments: [1])
    func cuts(seed: UInt64) async throws {
        let server = try await RedisServer()
        defer { server.kill() }
        var options = server.options
        options.timeout = .milliseconds(500)
        try set("0", server)
        let follower = ChangeFollower(RedisSource(options, key: key, silence: .milliseconds(300)))
        let random = SeededRandom(seed: seed)
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        let count = Search.count(40)
        for number in 1...count {
            let publishes = {
                try set("\(number)", server)
                _ = try server.ask("PUBLISH", key, #"{"version": \#(number)}"#)
            }
            let isBefore = random.next() % 2 == 0
            if isBefore { try publishes() }
            switch number % 10 {
            case 0:
                server.kill()
                try await server.start()
            case 1:
                server.send(SIGSTOP)
                try await Task.sleep(for: .milliseconds(Int64(random.next() % 200)))
                server.send(SIGCONT)
            case 2: _ = try server.ask("CLIENT", "KILL", "TYPE", "normal")
            case 3: _ = try server.ask("PUBLISH", key, String(repeating: "{", count: 100_000))
            default: _ = try server.ask("CLIENT", "KILL", "TYPE", "pubsub")
            }
            if !isBefore { try publishes() }
            try #require(try await follower.wait { $0.text == "\(number)" }, "version \(number) was missed")
        }
        #expect(follower.current.connections > count / 4)
        await follower.stop()
        // Other tests have some too.
        let left = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        #expect(left < descriptors + count / 2 + 200)
    }
}
