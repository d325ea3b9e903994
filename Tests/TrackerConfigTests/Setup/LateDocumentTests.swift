import TestSupport
import Testing
import TrackerConfig
import TrackerCore
import TrackerTesting

/// Fetches that end after a switch to another user.
@Suite("A document that comes after a switch of users", .endsWhenItHangs)
struct LateDocumentTests {
    private let site = UserSite()
    private var service: Service { site.service }
    private let reason = "it came after a switch to another user, and is kept for the user it was asked for"

    /// Starts as Ann, switches to Bob while Ann's document is asked for, and lets that come.
    private func startLate(
        _ text: String, configure: (inout SetupOptions) -> Void = { _ in },
        remote: (inout RemoteConfiguration) -> Void = { _ in }
    ) async throws -> Setup {
        service.transport.hold()
        let setup = try service.start(
            UserSite.url, configure: configure,
            remote: {
                $0.user = "ann"
                remote(&$0)
            })
        let held = await service.transport.next()
        service.transport.release()
        try await setup.switchUser(to: "bob")
        held.answer(200, body: Array(text.utf8))
        await service.settled()
        return setup
    }

    @Test("is cached for the user it was asked for, and not applied")
    func kept() async throws {
        let setup = try await startLate(UserSite.text(3, ["a"]))
        #expect(service.outcomes == [.held(version: 3, reason: reason)])
        #expect(service.log.records.allSatisfy { $0.level != .error })
        #expect(service.updates.isEmpty)
        #expect(setup.namespaces.isEmpty)
        #expect(try await setup.switchUser(to: "ann")?.short == #"cached 3 ["a"]"#)
        await setup.shutdown(timeout: .zero)
        #expect(site.paths == ["/ann.json"])
    }

    @Test("does not take the place of a higher version in the cache")
    func lower() async throws {
        try site.cache(5, "newer", for: "ann")
        let setup = try await startLate(UserSite.text(3, ["a"]))
        #expect(service.outcomes.map(\.short) == ["held 3"])
        #expect(try await setup.switchUser(to: "ann")?.short == #"cached 5 ["newer"]"#)
        await setup.shutdown(timeout: .zero)
    }

    @Test("is verified and read first", arguments: [true, false])
    func verified(isSigned: Bool) async throws {
        struct Forged: Error {}
        let setup = try await startLate(
            isSigned ? "{" : UserSite.text(3, ["a"]),
            remote: { $0.verify = { _, _ in if !isSigned { throw Forged() } } })
        #expect(service.outcomes.map(\.short) == [isSigned ? "rejected malformed" : "rejected unverified"])
        #expect(try await setup.switchUser(to: "ann") == nil)
        await setup.shutdown(timeout: .zero)
    }

    @Test("a refresh after the switch does not join the former user's fetch")
    func ownFetch() async throws {
        site.publish(1, "b", for: "bob")
        service.transport.hold()
        let setup = try service.start(UserSite.url, remote: { $0.user = "ann" })
        let events = setup.events
        let held = await service.transport.next()
        service.transport.release()
        try await setup.switchUser(to: "bob")
        #expect(await setup.refresh() == .applied(version: 1, namespaces: ["b"]))
        held.answer(200, body: Array(UserSite.text(8, ["a"]).utf8))
        for await event in events {
            if case .outcome(let outcome) = event, outcome.kind == .held { break }
        }
        #expect(setup.namespaces == ["b"])
        #expect(service.trace == [#"fetched 1 ["b"]"#, #"applied 1 ["b"]"#, "held 8"])
        await setup.shutdown(timeout: .zero)
    }

    @Test("a switch back joins the fetch that is still under way, and applies what it brings")
    func back() async throws {
        service.transport.hold()
        let setup = try service.start(UserSite.url, remote: { $0.user = "ann" })
        let held = await service.transport.next()
        service.transport.release()
        try await setup.switchUser(to: "bob")
        try await setup.switchUser(to: "ann")
        let outcome = Task.immediate { await setup.refresh() }
        // It has joined before the answer comes.
        await setup.turn()
        held.answer(200, body: Array(UserSite.text(3, ["a"]).utf8))
        #expect(await outcome.value == .applied(version: 3, namespaces: ["a"]))
        #expect(site.paths == ["/ann.json"])
        #expect(setup.namespaces == ["a"])
        await setup.shutdown(timeout: .zero)
    }

    @Test("what has not changed and was lost by a switch there and back is fetched as a whole")
    func lost() async throws {
        site.publish(1, "a", for: "ann")
        let setup = try await site.start(as: "ann", configure: { $0.cache = Forgetful() })
        service.transport.hold()
        async let outcome = setup.refresh()
        let held = await service.transport.next()
        service.transport.release()
        #expect(try await setup.switchUser(to: "bob") == nil)
        #expect(try await setup.switchUser(to: "ann") == nil)
        held.answer(304)
        #expect(await outcome == .applied(version: 1, namespaces: ["a"]))
        await setup.shutdown(timeout: .zero)
    }

    @Test("an answer that nothing has changed, after a switch, changes nothing")
    func notModified() async throws {
        site.publish(1, "a", for: "ann")
        let setup = try await site.start(as: "ann")
        service.transport.hold()
        async let outcome = setup.refresh()
        let held = await service.transport.next()
        service.transport.release()
        #expect(try await setup.switchUser(to: "bob") == nil)
        held.answer(304)
        #expect(await outcome == .notModified)
        #expect(setup.namespaces.isEmpty)
        await setup.shutdown(timeout: .zero)
    }
}

/// A cache that cannot keep anything.
private struct Forgetful: ConfigurationCache {
    func entries(for url: String) async -> [CacheEntry] { [] }

    func replace(_ old: [CacheEntry], with new: [CacheEntry], for url: String) async -> Bool { true }
}
