import TestSupport
import Testing
import TrackerConfig
import TrackerCore
import TrackerTesting

/// Users who have a document each; another user is another setup.
@Suite("Users", .endsWhenItHangs)
struct UserTests {
    private let site = UserSite()
    private var service: Service { site.service }

    @Test("each user's document is fetched from its own URL and cached by itself, over restarts too")
    func cachedByUser() async throws {
        for (version, user) in [(5, "ann"), (2, "bob")] {
            site.publish(version, user, for: user)
            let setup = try await site.start(as: user)
            let document = setup.status.document
            #expect((document.user, document.source, document.version) == (user, UserSite.url(user), version))
            #expect(setup.namespaces == [user])
            await setup.shutdown(timeout: .zero)
        }
        #expect(
            service.trace == [
                "fetched 5 [\"ann\"]", "applied 5 [\"ann\"]", "fetched 2 [\"bob\"]", "applied 2 [\"bob\"]",
            ])
        let next = try await site.start(as: "ann")
        #expect(service.trace.suffix(2) == ["cached 5 [\"ann\"]", "notModified"])
        await next.shutdown(timeout: .zero)
    }

    @Test("a user without a document has the default, and nothing of another user or of nobody")
    func fallsBack() async throws {
        try site.cache(3, "shared", for: nil)
        try site.cache(9, "former", for: "ann")
        let bundle = ConfigurationBundle(
            namespace: "default", network: NetworkConfiguration(endpoint: "collector.example"))
        let setup = try await site.start(as: "bob", default: [bundle], version: 1)
        #expect(service.updates.map(\.short) == ["default 1 [\"default\"]"])
        #expect(setup.namespaces == ["default"])
        await setup.shutdown(timeout: .zero)
    }

    @Test("setups of two users at one time have features of their own")
    func together() async throws {
        for (user, limit) in [("ann", 1), ("bob", 2)] {
            let features = #","features":{"f":{"variables":{"limit":{"value":\#(limit)}}}}"#
            site.publish(1, user, for: user, more: features)
        }
        let (ann, bob) = (try await site.start(as: "ann"), try await site.start(as: "bob"))
        #expect(ann.features.value("f", variable: "limit", default: 0) == 1)
        #expect(bob.features.value("f", variable: "limit", default: 0) == 2)
        await ann.shutdown(timeout: .zero)
        await bob.shutdown(timeout: .zero)
    }
}
