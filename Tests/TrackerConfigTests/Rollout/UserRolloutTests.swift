import Foundation
import TestSupport
import Testing
import TrackerCore
import TrackerTesting

@testable import TrackerConfig
@testable import TrackerFeatures

/// Canaries and the crash guard where each user has a document of their own.
@Suite("Rollouts and users", .endsWhenItHangs)
struct UserRolloutTests {
    private let site = UserSite()
    private var service: Service { site.service }
    private static let rollout = #","rollout":{"percent":100,"bakeSeconds":100}"#

    /// What a process does that vanishes soon after it applied a document.
    struct Plan: Codable, Sendable {
        let directory: String
        var document: String?
        /// To whom it switches from Ann before it vanishes.
        var next: String?

        func run() async throws {
            let transport = ScriptedTransport()
            let (own, body) = (UserSite.url("ann"), document.map { Array($0.utf8) })
            transport.respond { request in
                .success(HTTPTransportResponse(status: request.url == own && body != nil ? 200 : 404, body: body ?? []))
            }
            var options = SetupOptions()
            options.cacheDirectory = "\(directory)/cache"
            options.stateDirectory = "\(directory)/state"
            options.transport = transport
            var remote = RemoteConfiguration(endpoint: UserSite.url)
            remote.user = "ann"
            let setup = try Setup(remote: remote, options: options)
            _ = await setup.refresh()
            if let next { try await setup.switchUser(to: next) }
            withExtendedLifetime(setup) {}
            Foundation.abort()
        }
    }

    /// Lets three processes vanish, of which the last is a real one of Ann, and the others applied a user's document.
    private func vanish(from user: String?, document: String? = nil, next: String? = nil) async throws {
        try service.vanish(2, url: UserSite.url(user))
        let plan = Plan(directory: service.directory.path, document: document, next: next)
        await #expect(processExitsWith: .failure) { [plan = plan as Plan] in try await plan.run() }
    }

    private let bad = UserSite.text(2, ["bad"])

    @Test("a version that kills is held for the user whose document it is, and for nobody else")
    func byUser() async throws {
        try site.cache(1, "shared", for: nil)
        try site.cache(2, "bad", for: "ann")
        try service.vanish(3, url: UserSite.url("ann"))
        site.publish(2, "bad", for: "ann")
        site.publish(2, "bad", for: "bob")
        let setup = try await site.start(as: "ann")
        #expect(service.trace == [#"cached 1 ["shared"]"#, "held 2"])
        try await setup.switchUser(to: "bob")
        #expect(await setup.refresh() == .applied(version: 2, namespaces: ["bad"]))
        #expect(try await setup.switchUser(to: "ann")?.short == #"cached 1 ["shared"]"#)
        await setup.shutdown(timeout: .zero)
    }

    @Test("a process that vanishes after it has switched away is not held against what it left", .mayBlock)
    func switchedAway() async throws {
        try site.cache(1, "shared", for: nil)
        try await vanish(from: "ann", document: bad, next: "bob")
        let setup = try await site.start(as: "ann")
        #expect(service.updates.map(\.short) == [#"cached 2 ["bad"]"#])
        await setup.shutdown(timeout: .zero)
    }

    @Test("a process that vanishes soon after a switch is held against what it switched to", .mayBlock)
    func switchedTo() async throws {
        try site.cache(1, "shared", for: nil)
        try site.cache(2, "bad", for: "bob")
        try await vanish(from: "bob", next: "bob")
        let setup = try await site.start(as: "bob")
        #expect(service.updates.map(\.short) == [#"cached 1 ["shared"]"#])
        await setup.shutdown(timeout: .zero)
    }

    @Test("the document for all is judged by what became of it, also where a user fell back to it", .mayBlock)
    func shared() async throws {
        try site.cache(1, "good", for: nil)
        try site.cache(2, "bad", for: nil)
        try await vanish(from: nil)
        site.publish(2, "own", for: "ann")
        let setup = try await site.start(as: "bob")
        #expect(service.updates.map(\.short) == [#"cached 1 ["good"]"#])
        try await setup.switchUser(to: "ann")
        // Another document of the same version, which has killed nobody.
        #expect(await setup.refresh() == .applied(version: 2, namespaces: ["own"]))
        await setup.shutdown(timeout: .zero)
    }

    @Test("while the document for all stays in use, a switch does not begin its watch anew or end it")
    func watchGoesOn() async throws {
        try site.cache(1, "shared", for: nil)
        let setup = try await site.start(as: "ann")
        let watch = try #require(setup.updater.watchdogs.first { $0.watched != nil })
        try await setup.switchUser(to: "bob")
        #expect(watch.watched == 1)
        #expect(setup.updater.watchdogs.contains { $0 === watch })
        setup.confirmHealthy()
        #expect(watch.watched == nil)
        try await setup.switchUser(to: "cid")
        #expect(setup.updater.watchdogs.allSatisfy { $0.watched == nil })
        await setup.shutdown(timeout: .zero)
    }

    @Test("a switch that is refused leaves the watch of the version that stays")
    func refusedSwitch() async throws {
        try site.cache(1, "a", for: "ann")
        let setup = try await site.start(as: "ann")
        let watch = try #require(setup.updater.watchdogs.first { $0.watched != nil })
        #expect(try await setup.updater.refusedSwitch()?.code == .missingValue)
        #expect(setup.user == "ann")
        #expect(watch.watched == 1)
        setup.confirmHealthy()
        #expect(watch.watched == nil)
        await setup.shutdown(timeout: .zero)
    }

    @Test("a confirmation is about the current user's document, and ends its row")
    func confirmed() async throws {
        try site.cache(1, "shared", for: nil)
        try site.cache(2, "bad", for: "ann")
        try service.vanish(2, url: UserSite.url("ann"))
        try site.cache(1, "b", for: "bob")
        let setup = try await site.start(as: "bob")
        try await setup.switchUser(to: "ann")
        #expect(setup.updater.watchdogs.compactMap(\.watched) == [2])
        setup.confirmHealthy()
        #expect(setup.updater.watchdogs.compactMap(\.watched) == [])
        try await waitUntil("the confirmation is noted") { service.isNothingWatched }
        await setup.shutdown(timeout: .zero)
        try service.vanish(1, url: UserSite.url("ann"))
        let next = try await site.start(as: "ann")
        #expect(service.updates.last?.short == #"cached 2 ["bad"]"#)
        await next.shutdown(timeout: .zero)
    }

    @Test(
        "a switch ends the watch of a canary: what happens then is not held against it", arguments: [true, false])
    func canary(hasNext: Bool) async throws {
        site.publish(1, "a", for: "ann")
        if hasNext { try site.cache(1, "a", for: "bob") }
        let setup = try await site.start(as: "ann")
        site.publish(2, "a", for: "ann", more: Self.rollout)
        #expect(await setup.refresh() == .applied(version: 2, namespaces: ["a"]))
        #expect(await setup.updater.lifecycle.canary != nil)
        try await setup.switchUser(to: "bob")
        #expect(await setup.updater.lifecycle.canary == nil)
        service.time.advance(by: .seconds(5))
        _ = await setup.updater.observeCanary()
        #expect(service.updates.allSatisfy { $0.state != .reverted })
        // Its user comes back to it, and it is watched on, with what that user had before.
        #expect(try await setup.switchUser(to: "ann")?.short == #"cached 2 ["a"]"#)
        #expect(await setup.updater.lifecycle.canary?.monitor.version == 2)
        #expect(await setup.updater.lifecycle.canary?.rollbackTarget.version == 1)
        #expect(await setup.updater.lifecycle.canary?.rollbackTarget.url == UserSite.url("ann"))
        await setup.shutdown(timeout: .zero)
    }

    @Test("a canary that a user fell back from goes back to the document for all, whole")
    func revertsToShared() async throws {
        try site.cache(1, "a", "shared", for: nil)
        let emitter = #""emitter":{"bufferOption":"Single"}"#
        let text = DocumentText.document(
            1, DocumentText.bundle("a", at: "two.example", emitter), DocumentText.bundle("own"), more: Self.rollout)
        service.collector("two.example", answers: 400)
        let transport = service.transport
        transport.respond { request in
            let isConfig = request.url == UserSite.url("ann")
            let status = isConfig || !request.url.hasPrefix("https://two.example/") ? 200 : 400
            return .success(HTTPTransportResponse(status: status, body: isConfig ? Array(text.utf8) : []))
        }
        let setup = try await site.start(as: "ann")
        #expect(setup.namespaces == ["a", "own"])
        let tracker = try #require(setup.tracker("a"))
        for _ in 0..<20 { await tracker.deliver() }
        service.time.advance(by: .seconds(5))
        _ = await setup.updater.observeCanary()
        #expect(service.updates.last?.short == #"reverted 1 ["a", "shared"]"#)
        #expect(setup.namespaces == ["a", "shared"])
        // The mark is on the user's own document, and not on the one for all of the same version.
        #expect(await setup.refresh().short == "held 1")
        #expect(try await setup.switchUser(to: nil)?.short == #"cached 1 ["a", "shared"]"#)
        await setup.shutdown(timeout: .zero)
    }

    @Test("by what was held no other user's document is asked for")
    func held() async throws {
        let percent = #","rollout":{"percent":0}"#
        site.publish(2, "a", for: "ann", more: percent)
        let setup = try await site.start(as: "ann")
        #expect(service.outcomes.map(\.short) == ["held 2"])
        try await setup.switchUser(to: "bob")
        #expect(await setup.refresh().short == "failed status(404)")
        #expect(service.fetches.last?.headers.contains { $0.name == "If-None-Match" } == false)
        await setup.shutdown(timeout: .zero)
    }
}

extension ConfigurationUpdater {
    /// Switches to a user whose configuration cannot be applied, because its tracker has no collector.
    /// - Returns: Why the switch was refused.
    fileprivate func refusedSwitch() throws -> ConfigurationError? {
        let bytes = Array(DocumentText.document(1, DocumentText.bare("b", #""network":{"method":"get"}"#)).utf8)
        let fallback = ActiveConfiguration(
            .cached, try Document(bytes, purpose: .default), bytes, DocumentValidators(), url: UserSite.url("bob"),
            at: 0)
        let documents = try parts.repository.documents(
            of: parts.repository.scope(of: "bob"), existing: lifecycle.documents)
        return handle(.userChanged(PendingSwitch(to: documents, fallback: fallback))).refusal
    }
}
