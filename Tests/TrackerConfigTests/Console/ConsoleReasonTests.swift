import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerConsole
import TrackerFeatures
import TrackerTesting

/// Why a context gets what it gets, as "Who gets what" says it.
@Suite("Console: reasons of what a context gets", .endsWhenItHangs)
struct ConsoleReasonTests {
    private let shop = FeatureService()
    private static let user = #""units":{"userId":"u-1"},"attributes":{"email":"e"}"#

    private static let features = """
        {"f":{"enabled":true,"variables":{"x":{"value":3}},"rules":[
        {"id":"staff","condition":{"email":"e"},"values":{"x":9}},
        {"id":"ramp","coverage":0.2,"enabled":true},
        {"id":"late","start":"2090-01-01T00:00:00Z","values":{"x":8}},
        {"id":"idle","condition":{"email":"e"}},
        {"id":"all","values":{"x":7}}]},
        "gated":{"enabled":true,"rules":[
        {"id":"gate","prerequisites":{"feature":"off","gate":true}},{"id":"next","enabled":true}]},
        "off":{"enabled":false,"variables":{"key":{"value":"c","encrypted":true}}}}
        """

    private func start(
        experiments: String = "[]", _ configure: (inout SetupOptions) -> Void = { _ in }
    ) async throws -> (Setup, ConsoleBrowser) {
        shop.publish(1, Self.features, experiments: experiments)
        return try await shop.browse(configure)
    }

    private func feature(_ name: String, _ browser: ConsoleBrowser, _ context: String = user) async throws -> JSONValue
    {
        let answer = await browser.send("POST", "assignments", "{\(context)}")
        #expect(answer.status == 200)
        return try #require(answer.json["features"]?.array?.first { $0["name"]?.string == name })
    }

    @Test(
        "each rule that decides a variable has a step with its verdict and the reason, in the order in which they are tried"
    )
    func rules() async throws {
        let (setup, browser) = try await start()
        let asked = await browser.send("POST", "explanation", #"{"feature":"f","variable":"x",\#(Self.user)}"#)
        #expect((asked.json.at("explanation.value"), asked.json.at("explanation.rule")) == (9, "staff"))
        let steps = asked.json.at("explanation.steps").array?.filter { $0["rule"] != nil } ?? []
        #expect(
            steps.map { [$0["rule"], $0["verdict"], $0["text"]] } == [
                ["staff", "gives", "email matches"],
                ["late", "doesNotMatch", "begins at 2090-01-01T00:00:00Z"],
                ["all", "overridden", nil],
            ])
        await setup.shutdown(timeout: .zero)
    }

    @Test(
        "shows the override, version and rule that decide a user's value, and what the user would get without the override"
    )
    func withoutOverride() async throws {
        let (setup, browser) = try await start()
        #expect(try await feature("f", browser).at("variables.x").object?["withoutOverride"] == nil)
        try setup.features.overrides.set(12, for: "f", variable: "x")
        try setup.features.overrides.setEnabled(false, for: "f")
        try setup.features.overrides.set("hush", for: "off", variable: "key")
        let overridden = try await feature("f", browser)
        #expect(overridden.at("variables.x.value") == 12)
        #expect(overridden.at("variables.x.source") == "override")
        #expect(
            overridden.at("variables.x.withoutOverride") == [
                "value": 9, "source": "remote, version 1", "reason": "TARGETING_MATCH", "rule": "staff",
            ])
        #expect(
            overridden.at("enabled.withoutOverride") == [
                "value": true, "source": "remote, version 1", "reason": "DEFAULT", "rule": nil,
            ])
        #expect(try await feature("off", browser).at("variables.key").object?["withoutOverride"] == nil)
        await setup.shutdown(timeout: .zero)
    }

    @Test("a forced variant and a request's own overrides have it too")
    func otherOverrides() async throws {
        let experiment =
            #"[{"id":"e","variants":[{"name":"a","weight":1},{"name":"b","weight":0,"values":{"g":{"y":2}}}]}]"#
        shop.publish(1, #"{"g":{"variables":{"y":{"value":1}}}}"#, experiments: experiment)
        let (setup, browser) = try await shop.browse()
        let own = #"\#(Self.user),"overrides":{"values":{"g":{"y":5}}}"#
        let asked = try await feature("g", browser, own)
        #expect((asked.at("variables.y.value"), asked.at("variables.y.withoutOverride.value")) == (5, 1))
        try setup.features.overrides.force("b", of: "e")
        let forced = try await feature("g", browser)
        #expect((forced.at("variables.y.value"), forced.at("variables.y.withoutOverride.value")) == (2, 1))
        await setup.shutdown(timeout: .zero)
    }

    @Test("a stored assignment says since when it is stored")
    func storedSince() async throws {
        let store = MemoryAssignments()
        let experiment = #"[{"id":"e","sticky":true,"variants":[{"name":"a","weight":1},{"name":"b","weight":0}]}]"#
        let (setup, browser) = try await start(experiments: experiment) { $0.experiments.assignmentStore = store }
        func assignment() async -> JSONValue {
            await browser.send("POST", "assignments", "{\(Self.user)}").json.at("assignments.0")
        }
        #expect(await assignment().at("text").string?.contains("2020-09-13") == false)
        store.set(
            StickyAssignment(
                unit: ExperimentUnit(name: "userId", id: "u-1"), experiment: "e", variant: "b",
                date: Date(timeIntervalSince1970: 1_600_000_000)))
        #expect(await assignment().at("text").string?.contains("2020-09-13") == true)
        #expect(await assignment().at("variant") == "b")
        await setup.shutdown(timeout: .zero)
    }
}
