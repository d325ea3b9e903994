import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerConsole
import TrackerCore
import TrackerTesting

/// The list of features, as requests choose it.
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

    private func names(_ list: JSONObject) -> [String] {
        (list["features"]?.array ?? []).compactMap { $0.at("name").string }
    }

    private func variables(_ list: JSONObject) -> [String] {
        (list.at("features.0.variables").array ?? []).compactMap { $0.at("name").string }
    }

    @Test("a filter finds names, titles and descriptions, and shows the variables that match")
    func filter() async throws {
        let (setup, browser) = try await start()
        var list = await browser.get("features")
        #expect(names(list) == ["banner", "checkout", "search"])
        #expect((list["total"], list["matching"], list["variables"]) == (3, 3, 3))
        list = await browser.get("features?filter=RETRIES")
        #expect((names(list), variables(list)) == (["checkout"], ["limit"]))
        #expect((list["matching"], list.at("features.0.variableCount")) == (1, 2))
        list = await browser.get("features?filter=checkout.s")
        #expect((names(list), variables(list)) == (["checkout"], ["same"]))
        // The feature's own name shows all its variables.
        list = await browser.get("features?filter=check")
        #expect(variables(list) == ["limit", "same"])
        #expect(names(await browser.get("features?filter=at%20the%20top")) == ["banner"])
        #expect(names(await browser.get("features?filter=nothing")) == [])
        await setup.shutdown(timeout: .zero)
    }

    @Test("a disabled feature is marked, and its document counts as unset")
    func disabled() async throws {
        let (setup, browser) = try await start()
        shop.publish(3, #"{"search":{"disabled":true,"enabled":true}}"#)
        shop.service.time.advance(by: .seconds(1))
        await setup.refresh()
        let list = await browser.get("features?filter=search")
        #expect((list.at("features.0.isDisabled"), list.at("features.0.enabled.value")) == (true, .null))
        #expect(await browser.get("features?filter=banner").at("features.0.isDisabled") == false)
        await setup.shutdown(timeout: .zero)
    }

    @Test("chips choose what is overridden and what differs from the default")
    func chips() async throws {
        let (setup, browser) = try await start()
        try setup.features.overrides.set("New", for: "banner", variable: "text")
        try setup.features.overrides.setEnabled(true, for: "search")
        var list = await browser.get("features?chips=overridden")
        #expect(names(list) == ["banner", "search"])
        #expect((list.at("counts.overridden"), list.at("counts.differing")) == (2, 2))
        #expect((list["overrides"], list["forced"]) == (2, 0))
        // An override that says what the default says is no difference.
        list = await browser.get("features?chips=differing")
        #expect(names(list) == ["banner", "checkout"])
        list = await browser.get("features?chips=differing&filter=checkout")
        #expect(variables(list) == ["limit"])
        #expect(names(await browser.get("features?chips=differing,overridden")) == ["banner"])
        await setup.shutdown(timeout: .zero)
        // Without a default nothing differs from it.
        let (alone, plain) = try await start(default: "{}")
        list = await plain.get("features")
        #expect(list.at("counts").object?["differing"] == .null)
        #expect(list.at("features.1.variables.0.isDiffering") == false)
        await alone.shutdown(timeout: .zero)
    }

    @Test("a feature is stale after a week without evaluation, and not evaluated yet in a process that is younger")
    func stale() async throws {
        let (setup, browser) = try await start()
        let day = Duration.seconds(86_400)
        var list = await browser.get("features")
        #expect((list.at("counts.stale"), list.at("counts.notEvaluatedYet")) == (0, 3))
        #expect(list.at("features.0.isStale") == false)
        #expect(list.at("features.0.isNotEvaluatedYet") == true)
        shop.service.time.advance(by: day * 7)
        #expect(await browser.get("features").at("counts.notEvaluatedYet") == 3)
        _ = setup.features.isEnabled("search")
        shop.service.time.advance(by: .seconds(1))
        list = await browser.get("features?filter=search")
        #expect((list.at("counts.stale"), list.at("counts.notEvaluatedYet")) == (2, 0))
        #expect(list.at("features.0.isStale") == false)
        #expect(list.at("features.0.isNotEvaluatedYet") == false)
        #expect(list.at("features.0.lastEvaluation").int == Int(shop.service.time.wallTime))
        #expect(names(await browser.get("features?chips=stale")) == ["banner", "checkout"])
        #expect(names(await browser.get("features?sort=-lastEvaluation")).first == "search")
        shop.service.time.advance(by: .seconds(8 * 86_400))
        list = await browser.get("features?filter=search")
        #expect(list.at("features.0.isStale") == true)
        await setup.shutdown(timeout: .zero)
    }

    @Test("a page begins at the offset and has at most so many features as the limit says")
    func pages() async throws {
        let many = (0..<150).map { "\"f\(1000 + $0)\":{\"enabled\":\($0 % 2 == 0)}" }.joined(separator: ",")
        shop.publish(2, "{\(many)}")
        let (setup, browser) = try await shop.browse()
        var list = await browser.get("features")
        #expect((names(list).count, names(list).last) == (100, "f1099"))
        list = await browser.get("features?offset=100")
        #expect((names(list).count, names(list).first) == (50, "f1100"))
        list = await browser.get("features?sort=-name&offset=10&limit=2")
        #expect(names(list) == ["f1139", "f1138"])
        #expect((list["total"], list["matching"], list["offset"], list["limit"]) == (150, 150, 10, 2))
        // A page that is not there any more is the last one.
        #expect(await browser.get("features?offset=5000")["offset"] == 100)
        list = await browser.get("features?sort=-enabled&limit=2")
        #expect(names(list) == ["f1000", "f1002"])
        await setup.shutdown(timeout: .zero)
    }

    @Test("a query that cannot be used is refused, with what is expected")
    func wrong() async throws {
        let (setup, browser) = try await start()
        for (query, error) in [
            ("chips=new", "chips: expected overridden, differing, stale"),
            ("sort=age", "sort: expected name, enabled, variables, evaluations, lastEvaluation"),
            ("offset=-1", "offset must be a whole number in 0...2147483647"),
            ("limit=0", "limit must be a whole number in 1...1000"),
            ("limit=many", "limit must be a whole number in 1...1000"),
        ] {
            let answer = await browser.send("GET", "features?\(query)")
            #expect((answer.status, answer.error) == (400, error))
        }
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
        let override = await browser.get("features?filter=checkout.limit").at("features.0.variables.0.override")
        #expect((override.at("by"), override.at("note")) == ("dana", "INC-412"))
        #expect((override.at("time").int, override.at("expiry").int) == (Int(now), Int(now) + 3_600_000))
        #expect(await browser.get("features").at("features.0.enabled.override") == .null)
        #expect(await browser.get("experiments").at("experiments.0.override") == override)
        await setup.shutdown(timeout: .zero)
    }
}
