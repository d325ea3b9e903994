import TestSupport
import Testing
import TrackerConfig
import TrackerCore
import TrackerTesting

/// Switches between users who have a document each.
@Suite("Users", .endsWhenItHangs)
struct UserTests {
    private let site = UserSite()
    private var service: Service { site.service }
    private let fallback = ConfigurationBundle(
        namespace: "default", network: NetworkConfiguration(endpoint: "collector.example"))

    @Test(
        "each user's document is fetched from its own URL by the next refresh, and cached by itself, over restarts too")
    func cachedByUser() async throws {
        site.publish(1, "a", for: "ann")
        site.publish(1, "b", for: "bob")
        let setup = try await site.start(as: "ann")
        try await setup.switchUser(to: "bob")
        // A download that the switch began would come now.
        await setup.turn(20)
        #expect(site.paths == ["/ann.json"])
        #expect(await setup.refresh() == .applied(version: 1, namespaces: ["b"]))
        let document = setup.status.document
        #expect((document.user, document.source) == ("bob", UserSite.url("bob")))
        #expect(try await setup.switchUser(to: "ann")?.short == #"cached 1 ["a"]"#)
        #expect(setup.namespaces == ["a"])
        await setup.shutdown(timeout: .zero)
        #expect(site.paths == ["/ann.json", "/bob.json"])
        let next = try await site.start(as: "bob")
        #expect(service.updates.last?.short == #"cached 1 ["b"]"#)
        #expect(service.outcomes.last == .notModified)
        await next.shutdown(timeout: .zero)
    }

    @Test(
        "a switch and a start use the user's cached document, else the one for all, else the default, else nothing",
        arguments: [0, 1, 2, 3], [true, false])
    func chain(missing: Int, isStart: Bool) async throws {
        if missing < 1 { try site.cache(2, "own", for: "bob") }
        if missing < 2 { try site.cache(3, "shared", for: nil) }
        try site.cache(9, "former", for: "ann")
        let defaults = missing < 3 ? [fallback] : []
        let expected = [#"cached 2 ["own"]"#, #"cached 3 ["shared"]"#, #"default 1 ["default"]"#, nil][missing]
        let setup = try await site.start(as: isStart ? "bob" : "ann", default: defaults, version: 1)
        let update = isStart ? service.updates.last : try await setup.switchUser(to: "bob")
        #expect(update?.short == expected)
        #expect(setup.user == "bob")
        let own = [["own"], ["shared"], [], []][missing]
        #expect(setup.namespaces == (own + defaults.map(\.namespace)).sorted())
        #expect(setup.status.document.version == update?.version)
        await setup.shutdown(timeout: .zero)
        // One that is not above the default's version is passed over.
        if missing == 0 {
            let next = try await site.start(as: "bob", default: [fallback], version: 2)
            #expect(service.updates.last?.short == #"cached 3 ["shared"]"#)
            await next.shutdown(timeout: .zero)
        }
    }

    @Test("where there is nothing for the user, nothing of the former user is left")
    func nothing() async throws {
        site.publish(1, "a", for: "ann", more: #","meta":{"owner":"ann"}"#)
        let setup = try await site.start(as: "ann")
        let tracker = try #require(setup.defaultTracker)
        #expect(try await setup.switchUser(to: "bob") == nil)
        #expect(setup.namespaces.isEmpty)
        #expect(setup.defaultTracker == nil)
        #expect(setup.meta.isEmpty)
        #expect(setup.status.document.state == nil)
        #expect(tracker.track(Structured(category: "cart", action: "late")) == nil)
        #expect(service.updates.count == 1)
        // Who comes now is not told of the former user's trackers.
        let events = setup.events
        await setup.shutdown(timeout: .zero)
        for await event in events { Issue.record("\(event)") }
    }

    @Test("features and variants are the current user's, and nothing of the former one is shown")
    func features() async throws {
        for user in ["ann", "bob"] {
            let experiments = #"[{"id":"e","variants":[{"name":"\#(user)"}]}]"#
            site.publish(
                1, user, for: user,
                more: #","features":{"f":{"variables":{"owner":{"value":"\#(user)"}}}},"experiments":\#(experiments)"#)
        }
        let setup = try await site.start(as: "ann")
        func seen() -> [String] {
            let context = FeatureContext(userID: "u")
            return [
                setup.features.value("f", variable: "owner", default: "-"),
                setup.experiments.variant(of: "e", default: "-", for: context).variant,
            ]
        }
        #expect(seen() == ["ann", "ann"])
        try await setup.switchUser(to: "bob")
        #expect(seen() == ["-", "-"])
        await setup.refresh()
        #expect(seen() == ["bob", "bob"])
        try await setup.switchUser(to: "ann")
        #expect(seen() == ["ann", "ann"])
        await setup.shutdown(timeout: .zero)
    }

    @Test("where the policy says so, a switch fetches the user's document once, in the background")
    func download() async throws {
        site.publish(1, "a", for: "ann")
        site.publish(2, "b", for: "bob")
        let setup = try await site.start(as: "ann", remote: { $0.refreshesOnUserChange = true })
        let events = setup.events
        #expect(try await setup.switchUser(to: "bob") == nil)
        for await event in events {
            if case .outcome = event { break }
        }
        #expect(service.trace.suffix(2) == [#"fetched 2 ["b"]"#, #"applied 2 ["b"]"#])
        #expect(site.paths == ["/ann.json", "/bob.json"])
        await setup.shutdown(timeout: .zero)
    }

    @Test("polling goes on after a switch, in its time and for the new user")
    func polling() async throws {
        site.publish(1, "a", for: "ann")
        site.publish(1, "b", for: "bob")
        let setup = try await site.start(
            as: "ann", configure: { $0.crashGuard = nil }, remote: { $0.pollInterval = .seconds(60) })
        await service.time.waitForSleep(in: .seconds(54) ... .seconds(66))
        try await setup.switchUser(to: "bob")
        let events = setup.events
        service.time.advance(by: .seconds(66))
        for await event in events {
            if case .outcome(let outcome) = event {
                #expect(outcome == .applied(version: 1, namespaces: ["b"]))
                break
            }
        }
        #expect(site.paths == ["/ann.json", "/bob.json"])
        await setup.shutdown(timeout: .zero)
    }

    @Test("versions are compared with the same user's only, and with the default's")
    func versions() async throws {
        try site.cache(9, "shared", for: nil)
        site.publish(2, "b", for: "bob")
        site.publish(1, "c", for: "cid")
        let setup = try await site.start(as: "bob", default: [fallback], version: 1)
        #expect(service.trace == [#"cached 9 ["shared"]"#, #"fetched 2 ["b"]"#, #"applied 2 ["b"]"#])
        try await setup.switchUser(to: "cid")
        #expect(await setup.refresh() == .unchanged(version: 1, isOtherContent: false))
        site.publish(0, "c", for: "cid")
        #expect(await setup.refresh() == .stale(version: 0))
        #expect(setup.namespaces == ["default", "shared"])
        try await setup.switchUser(to: "bob")
        site.publish(1, "b", for: "bob")
        #expect(await setup.refresh() == .unchanged(version: 1, isOtherContent: false))
        site.publish(3, "b", for: "bob")
        #expect(await setup.refresh() == .applied(version: 3, namespaces: ["b"]))
        await setup.shutdown(timeout: .zero)
    }

    @Test("requests are conditional on a document from the same URL only")
    func conditional() async throws {
        site.publish(1, "shared", for: nil)
        site.publish(1, "b", for: "bob")
        let setup = try await site.start(as: nil)
        try await setup.switchUser(to: "bob")
        #expect(setup.namespaces == ["shared"])
        #expect(await setup.refresh() == .applied(version: 1, namespaces: ["b"]))
        try await setup.switchUser(to: nil)
        #expect(await setup.refresh() == .notModified)
        try await setup.switchUser(to: "bob")
        #expect(await setup.refresh() == .notModified)
        let tags = service.fetches.map { $0.headers.first { $0.name == "If-None-Match" }?.value }
        let (shared, own) = (UserSite.tag(UserSite.text(1, ["shared"])), UserSite.tag(UserSite.text(1, ["b"])))
        #expect(tags == [nil, nil, shared, own])
        await setup.shutdown(timeout: .zero)
    }

    @Test(
        "trackers that only the former user's document had are removed; on the others, what was set at run time stays")
    func trackers() async throws {
        // The second version no longer names a tracker, which stays as it was until the switch.
        site.publish(1, "both", "dropped", for: "ann")
        try site.cache(1, "both", "b", for: "bob")
        let setup = try await site.start(as: "ann", default: [fallback])
        site.publish(2, "both", "a", for: "ann")
        await setup.refresh()
        #expect(setup.namespaces == ["a", "both", "default", "dropped"])
        let both = try #require(setup.tracker("both"))
        try both.subject.set(\.userID, to: "runtime")
        setup.tracker("default")?.emitter.pause()
        let update = try #require(try await setup.switchUser(to: "bob"))
        #expect(setup.namespaces == ["b", "both", "default"])
        #expect(update.trackers.keys.sorted() == ["b", "both", "default"])
        #expect(update.warnings.isEmpty)
        #expect(setup.tracker("both") === both)
        #expect(both.subject.userID == "runtime")
        #expect(setup.tracker("default")?.emitter.isPaused == true)
        await setup.shutdown(timeout: .zero)
    }

    @Test("trackers that the document for all had ceased to name go too, where it stays in use")
    func keptTrackers() async throws {
        site.publish(1, "a", "dropped", for: nil)
        let setup = try await site.start(as: nil)
        site.publish(2, "a", for: nil)
        await setup.refresh()
        #expect(setup.namespaces == ["a", "dropped"])
        let tracker = setup.tracker("a")
        let update = try await setup.switchUser(to: "bob")
        #expect(update?.short == #"cached 2 ["a"]"#)
        #expect(update?.warnings.isEmpty == true)
        #expect(setup.namespaces == ["a"])
        #expect(setup.tracker("a") === tracker)
        await setup.shutdown(timeout: .zero)
    }

    @Test("trackers of the document for all that the user's own does not name go when it is fetched")
    func ownReplacesShared() async throws {
        try site.cache(1, "shared", "both", for: nil)
        site.publish(1, "both", "own", for: "bob")
        let setup = try await site.start(as: "bob")
        #expect(service.updates.map(\.short) == [#"cached 1 ["shared", "both"]"#, #"fetched 1 ["both", "own"]"#])
        #expect(setup.namespaces == ["both", "own"])
        await setup.shutdown(timeout: .zero)
    }

    @Test("a switch to the user who is current does nothing; nil and an empty id are the same user")
    func current() async throws {
        site.publish(4, "a", for: nil)
        let setup = try await site.start(as: "")
        #expect(setup.user == nil)
        #expect(try await setup.switchUser(to: nil)?.short == #"fetched 4 ["a"]"#)
        #expect(try await setup.switchUser(to: "")?.short == #"fetched 4 ["a"]"#)
        #expect(service.updates.count == 1)
        await setup.shutdown(timeout: .zero)
        #expect(try await setup.switchUser(to: "bob")?.short == #"fetched 4 ["a"]"#)
        #expect(setup.user == nil)
    }

    @Test("with a URL that names no user, a switch changes the user and no document")
    func oneForAll() async throws {
        service.transport.respond { _ in
            .success(HTTPTransportResponse(status: 200, body: Array(UserSite.text(1, ["a"]).utf8)))
        }
        let setup = try await site.start(as: "ann", Service.url)
        let tracker = setup.defaultTracker
        #expect(try await setup.switchUser(to: "..")?.short == #"fetched 1 ["a"]"#)
        #expect(setup.user == "..")
        #expect(setup.defaultTracker === tracker)
        #expect(service.updates.count == 1)
        #expect(await setup.refresh() == .unchanged(version: 1, isOtherContent: false))
        await setup.shutdown(timeout: .zero)
    }

    @Test("a callback sees the user whose configuration it is told of")
    func callback() async throws {
        try site.cache(1, "b", for: "bob")
        let (holder, seen) = (Locked<Setup?>(nil), Locked<[String?]>([]))
        let setup = try service.start(
            UserSite.url,
            onSuccess: { _ in
                if let setup = holder.withLock({ $0 }) { seen.withLock { $0.append(setup.user) } }
            })
        holder.withLock { $0 = setup }
        await service.settled()
        try await setup.switchUser(to: "bob")
        #expect(seen.withLock { $0 } == ["bob"])
        holder.withLock { $0 = nil }
        await setup.shutdown(timeout: .zero)
    }
}
