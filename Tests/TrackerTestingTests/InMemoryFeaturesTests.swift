import TestSupport
import Testing
import TrackerFeatures
import TrackerTesting

@Suite("Features.inMemory", .endsWhenItHangs)
struct InMemoryFeaturesTests {
    private let features = Features.inMemory(["checkout": true, "beta": false, "search": ["limit": 20, "host": "a"]])

    private func limit(for user: String? = nil) -> Int {
        features.features.value("search", variable: "limit", default: 0, for: user.map { FeatureContext(userID: $0) })
    }

    @Test("has the features that it is created with, and no others")
    func initial() {
        #expect(features.features.isEnabled("checkout") && features.features.isEnabled("search"))
        #expect(!features.features.isEnabled("beta", default: true))
        #expect(limit() == 20)
        #expect(features.features.names == ["beta", "checkout", "search"])
        #expect(features.features.values(of: "search") == ["limit": 20, "host": "a"])
        #expect(Features.inMemory().features.names == [])
    }

    @Test("what is set is in effect when the call returns, and listeners are called")
    func setting() {
        let changes = Locked<[FeatureChange<FeatureValues>]>([])
        let observation = features.features.onChange(of: "search") { change in changes.withLock { $0.append(change) } }
        features.set(["limit": 5], for: "search")
        #expect(limit() == 5)
        #expect(features.features.values(of: "search") == ["limit": 5])
        features.set(nil, for: "search")
        #expect(features.features.values(of: "search") == nil)
        #expect(
            changes.withLock { $0.map(\.new) } == [["limit": 20, "host": "a"], ["limit": 5], nil])
        observation.cancel()
    }

    @Test("gives a user values of their own, and all others those for all")
    func users() {
        features.set(["limit": 50], for: "search", user: "u-1")
        features.set(false, for: "search", user: "u-2")
        features.set(true, for: "express", user: "u-1")
        #expect([limit(), limit(for: "u-1"), limit(for: "u-2")] == [20, 50, 20])
        // The context of the request counts, as in production.
        #expect(withTrackingContext(TrackingContext(evaluation: FeatureContext(userID: "u-1"))) { limit() } == 50)
        #expect(!features.features.isEnabled("search", for: FeatureContext(userID: "u-2")))
        #expect(features.features.isEnabled("express", for: FeatureContext(userID: "u-1")))
        #expect(
            !features.features.isEnabled("express", for: FeatureContext(userID: "u-2"))
                && !features.features.isEnabled("express"))
        features.set(["limit": 60], for: "search", user: "u-1")
        features.set(["limit": 30], for: "search")
        #expect([limit(), limit(for: "u-1")] == [30, 60])
        features.set(nil, for: "search", user: "u-1")
        features.set(nil, for: "express", user: "u-1")
        #expect(limit(for: "u-1") == 30)
        #expect(features.features.names == ["beta", "checkout", "search"])
    }

    @Test("of several conditions that a context meets, the one that was set last decides")
    func conditions() {
        features.set(["limit": 1], for: "search", when: ["country": ["$in": ["CA", "US"]]])
        features.set(["limit": 2], for: "search", when: ["plan": "pro"])
        let pro = FeatureContext(country: "US", attributes: ["plan": "pro"])
        #expect(features.features.value("search", variable: "limit", default: 0, for: pro) == 2)
        features.set(["limit": 3], for: "search", when: ["country": ["$in": ["CA", "US"]]])
        #expect(features.features.value("search", variable: "limit", default: 0, for: pro) == 3)
        #expect(
            features.features.value("search", variable: "limit", default: 0, for: FeatureContext(country: "DE")) == 20)
        // The value that has no variable of that name is passed over.
        #expect(features.features.value("search", variable: "host", default: "", for: pro) == "a")
    }

    @Test("overrides are above all of it, and its values are explained as those of a provider")
    func precedence() throws {
        features.set(["limit": 50], for: "search", user: "u-1")
        let context = FeatureContext(userID: "u-1")
        let detail = features.features.detail("search", variable: "limit", default: 0, for: context)
        #expect(detail.source == .provider("memory") && detail.reason == .targetingMatch)
        try features.features.overrides.set(70, for: "search", variable: "limit")
        #expect([limit(), limit(for: "u-1")] == [70, 70])
    }
}
