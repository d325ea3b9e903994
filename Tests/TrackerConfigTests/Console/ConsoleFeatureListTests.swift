import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerConsole
import TrackerCore
import TrackerTesting

/// The list of features.
@Suite("Console: list of features", .endsWhenItHangs)
struct ConsoleFeatureListTests {
    private let shop = FeatureService()
    private static let features = """
        {"checkout":{"enabled":true,"variables":{"limit":{"value":2,"title":"Retries"},"same":{"value":"s"}}},
        "banner":{"enabled":false,"variables":{"text":{"value":"Sale","description":"Shown at the top"}}},
        "search":{"enabled":true}}
        """
    private static let defaults = """
        {"checkout":{"enabled":true,"variables":{"limit":{"value":1},"same":{"value":"s"}}},
        "banner":{"enabled":false,"variables":{"text":{"value":"Sale"}}},"search":{"enabled":true}}
        """

    private func start(default features: String = defaults) async throws -> (Setup, ConsoleBrowser) {
        shop.publish(2, Self.features)
        return try await shop.browse(default: features)
    }

    @Test("a disabled feature is marked, and its document counts as unset")
    func disabled() async throws {
        let (setup, browser) = try await start()
        shop.publish(3, #"{"search":{"disabled":true,"enabled":true}}"#)
        shop.service.time.advance(by: .seconds(1))
        await setup.refresh()
        let list = await browser.get("features")
        #expect((list.at("features.2.isDisabled"), list.at("features.2.enabled.value")) == (true, .null))
        #expect(list.at("features.0.isDisabled") == false)
        await setup.shutdown(timeout: .zero)
    }

    @Test("a feature is stale after a week without evaluation, and not evaluated yet in a process that is younger")
    func stale() async throws {
        let (setup, browser) = try await start()
        func marks() async -> [JSONValue] {
            (await browser.get("features")["features"]?.array ?? []).map {
                $0.at("isStale") == true ? "stale" : $0.at("isNotEvaluatedYet") == true ? "not yet" : $0.at("name")
            }
        }
        #expect(await marks() == ["not yet", "not yet", "not yet"])
        shop.service.time.advance(by: .seconds(7 * 86_400))
        #expect(await marks() == ["not yet", "not yet", "not yet"])
        _ = setup.features.isEnabled("search")
        shop.service.time.advance(by: .seconds(1))
        #expect(await marks() == ["stale", "stale", "search"])
        let last = await browser.get("features").at("features.2.lastEvaluation").int
        #expect(last == Int(shop.service.time.wallTime))
        shop.service.time.advance(by: .seconds(8 * 86_400))
        #expect(await marks() == ["stale", "stale", "stale"])
        await setup.shutdown(timeout: .zero)
    }

    @Test("the first 1,000 features are listed, and how many there are")
    func many() async throws {
        let many = (0..<1100).map { "\"f\(1000 + $0)\":{\"enabled\":true}" }.joined(separator: ",")
        shop.publish(2, "{\(many)}")
        let (setup, browser) = try await shop.browse()
        let list = await browser.get("features")
        #expect((list["features"]?.array?.count, list["total"]) == (1000, 1100))
        #expect(list.at("features.999.name") == "f1999")
        await setup.shutdown(timeout: .zero)
    }

    @Test("an override tells who set it, why and until when; so does a forced variant")
    func details() async throws {
        shop.publish(2, Self.features, experiments: #"[{"id":"e","variants":[{"name":"a"}]}]"#)
        let (setup, browser) = try await shop.browse()
        let now = shop.service.time.wallTime
        let expiry = Date(timeIntervalSince1970: Double(now) / 1000 + 3600)
        try setup.features.overrides.set(
            9, for: "checkout", variable: "limit", by: "dana", note: "INC-412", expiry: expiry)
        try setup.features.overrides.force("a", of: "e", by: "dana", note: "INC-412", expiry: expiry)
        let override = await browser.get("features").at("features.1.variables.0.override")
        #expect((override.at("by"), override.at("note")) == ("dana", "INC-412"))
        #expect((override.at("time"), override.at("expiry")) == ("2023-11-14T22:13:20Z", "2023-11-14T23:13:20Z"))
        #expect(await browser.get("features").at("features.0.enabled.override") == .null)
        let forced = await browser.get("features").at("experiments.0.override")
        #expect((forced.at("by"), forced.at("expiry")) == ("dana", override.at("expiry")))
        await setup.shutdown(timeout: .zero)
    }
}
