import TestSupport
import Testing
import TrackerCore

@testable import TrackerConfig
@testable import TrackerConsole

/// Remote evaluation as OpenFeature's protocol has it.
@Suite("Console: flags", .endsWhenItHangs)
struct ConsoleFlagTests {
    private static let path = "ofrep/v1/evaluate/flags"
    private static let features = """
        {"checkout":{"enabled":true,"variables":{"retryLimit":{"value":3},"limits":{"value":{"perDay":10}},
        "key":{"value":"SECRET","encrypted":true}},"rules":[
        {"id":"pro","condition":{"plan":"pro"},"values":{"retryLimit":9}}]},
        "drawn":{"enabled":false,"rules":[{"id":"all","range":[0,1],"enabled":true}]},
        "home.page":{"enabled":false,"variables":{"hero.text":{"value":"Hi"}}},
        "silent":{"variables":{"x":{"value":1.5}}}}
        """
    private static let experiment = """
        [{"id":"e","variants":[{"name":"only","values":{"home.page":{"hero.text":"Hello"}}}]}]
        """

    private let shop = FeatureService()

    private func start(_ configure: (inout SetupOptions) -> Void = { _ in }) async throws -> Setup {
        shop.publish(2, Self.features, experiments: Self.experiment)
        return try await shop.start(configure)
    }

    private func evaluate(_ setup: Setup, _ key: String, _ context: String = "{}") async -> ConsoleBrowser.Answer {
        await ConsoleBrowser(setup) { _ in }.send("POST", "\(Self.path)/\(key)", #"{"context":\#(context)}"#)
    }

    @Test(
        "a feature is a flag of whether it is enabled, and each variable is a flag, with reason and source",
        arguments: [
            ("checkout", "{}", "true", "STATIC"), ("checkout.retryLimit", #"{"plan":"pro"}"#, "9", "TARGETING_MATCH"),
            ("checkout.retryLimit", #"{"plan":"free"}"#, "3", "DEFAULT"),
            ("checkout.limits", "{}", #"{"perDay":10}"#, "STATIC"),
            ("home.page", "{}", "false", "STATIC"), ("drawn", #"{"targetingKey":"u-1"}"#, "true", "SPLIT"),
            ("drawn", #"{"userId":"u-1"}"#, "true", "SPLIT"), ("silent.x", "{}", "1.5", "STATIC"),
            ("home.page.hero.text", #"{"targetingKey":"u-1"}"#, #""Hello""#, "SPLIT"),
            ("home%2Epage", "{}", "false", "STATIC"),
        ])
    func values(key: String, context: String, value: String, reason: String) async throws {
        let setup = try await start()
        let answer = await evaluate(setup, key, context)
        #expect(answer.status == 200)
        #expect(answer.json["key"]?.string == key.replacing("%2E", with: "."))
        #expect(answer.json["value"]?.description == value)
        #expect(answer.json["reason"]?.string == reason)
        #expect(answer.json.at("metadata.source").string?.isEmpty == false)
        await setup.shutdown(timeout: .zero)
    }

    @Test("a rule and a variant are named")
    func details() async throws {
        let setup = try await start()
        let rule = await evaluate(setup, "checkout.retryLimit", #"{"plan":"pro"}"#).json
        #expect(rule["metadata"] == ["source": "remote, version 2", "rule": "pro"])
        let variant = await evaluate(setup, "home.page.hero.text", #"{"targetingKey":"u-1"}"#).json
        #expect(variant["variant"] == "only")
        await setup.shutdown(timeout: .zero)
    }

    @Test(
        "a unit's id of more than 1,024 bytes is a fault of the context for the flags that need it, and for no others")
    func longTargetingKey() async throws {
        let setup = try await start()
        let context = #"{"targetingKey":"\#(String(repeating: "u", count: 1025))"}"#
        let answer = await evaluate(setup, "drawn", context)
        #expect((answer.status, answer.json["errorCode"]) == (400, "INVALID_CONTEXT"))
        #expect(answer.json["errorDetails"]?.string?.contains("'userId' has 1025 bytes") == true)
        #expect(await evaluate(setup, "checkout", context).json["value"] == true)
        let all = await ConsoleBrowser(setup) { _ in }.send("POST", Self.path, #"{"context":\#(context)}"#)
        let flags = try #require(all.json["flags"]?.array)
        #expect(flags.compactMap { $0["errorCode"] == nil ? nil : $0["key"] } == ["drawn", "home.page.hero.text"])
        await setup.shutdown(timeout: .zero)
    }

    @Test(
        "faults have the protocol's codes",
        arguments: [
            ("nothing", "{}", 404, "FLAG_NOT_FOUND"), ("checkout.nothing", "{}", 404, "FLAG_NOT_FOUND"),
            // No source says whether it is enabled.
            ("silent", "{}", 404, "FLAG_NOT_FOUND"), ("checkout.key", "{}", 400, "GENERAL"),
            ("checkout", "[]", 400, "INVALID_CONTEXT"), ("checkout", "null", 400, "INVALID_CONTEXT"),
            ("checkout", #"{"targetingKey":1}"#, 400, "INVALID_CONTEXT"), ("checkout", "{", 400, "PARSE_ERROR"),
            ("drawn", "{}", 400, "TARGETING_KEY_MISSING"),
            ("drawn", #"{"targetingKey":""}"#, 400, "TARGETING_KEY_MISSING"),
            ("home.page.hero.text", "{}", 400, "TARGETING_KEY_MISSING"),
        ])
    func faults(key: String, context: String, status: Int, code: String) async throws {
        let setup = try await start()
        let answer = await evaluate(setup, key, context)
        #expect((answer.status, answer.json["errorCode"]?.string) == (status, code))
        #expect(answer.json["key"]?.string == key)
        #expect(answer.json["errorDetails"]?.string?.isEmpty == false)
        #expect(!answer.text.contains("SECRET"))
        await setup.shutdown(timeout: .zero)
    }

    @Test(
        "a missing context is an empty one, and a body that is no object cannot be read",
        arguments: [
            ("{}", 200), ("[]", 400), (#""x""#, 400), ("", 400),
        ])
    func bodies(body: String, status: Int) async throws {
        let setup = try await start()
        #expect(await ConsoleBrowser(setup).send("POST", "\(Self.path)/checkout", body).status == status)
        await setup.shutdown(timeout: .zero)
    }

    @Test("an override holds for all contexts, also those without a targeting key")
    func overridden() async throws {
        let setup = try await start()
        try setup.features.overrides.setEnabled(true, for: "drawn")
        let answer = await evaluate(setup, "drawn")
        #expect((answer.status, answer.json["value"], answer.json["reason"]) == (200, true, "STATIC"))
        await setup.shutdown(timeout: .zero)
    }

    @Test("all flags are evaluated at once, without secrets, and told as they would be one by one")
    func bulk() async throws {
        let setup = try await start()
        let answer = await ConsoleBrowser(setup).send("POST", Self.path, #"{"context":{"plan":"pro"}}"#)
        #expect(answer.status == 200)
        let flags = answer.json["flags"]?.array ?? []
        #expect(
            flags.map { $0.at("key") } == [
                "checkout", "checkout.limits", "checkout.retryLimit", "drawn", "home.page", "home.page.hero.text",
                "silent.x",
            ])
        #expect(flags.first { $0.at("key") == "drawn" }?.at("errorCode") == "TARGETING_KEY_MISSING")
        for flag in flags where flag.at("errorCode") == .null {
            let single = await evaluate(setup, flag.at("key").string ?? "", #"{"plan":"pro"}"#)
            #expect(JSONValue.object(single.json) == flag)
        }
        #expect(!answer.text.contains("SECRET"))
        await setup.shutdown(timeout: .zero)
    }

    @Test("a client that has the values of its context gets no body until one changes")
    func etag() async throws {
        let setup = try await start()
        let first = await ConsoleBrowser(setup).send("POST", Self.path, #"{"context":{}}"#)
        let tag = try #require(first.header("ETag"))
        func send(_ tag: String, _ context: String = "{}") async -> ConsoleBrowser.Answer {
            var browser = ConsoleBrowser(setup)
            browser.headers.append(HTTPHeader(name: "If-None-Match", value: tag))
            return await browser.send("POST", Self.path, #"{"context":\#(context)}"#)
        }
        let same = await send(tag)
        #expect((same.status, same.text, same.header("ETag")) == (304, "", tag))
        #expect(await send("\"other\", W/\(tag)").status == 304)
        #expect(await send("\"other\"").status == 200)
        #expect(await send(tag, #"{"plan":"pro"}"#).status == 200)
        try setup.features.overrides.setEnabled(false, for: "checkout")
        let changed = await send(tag)
        #expect(changed.status == 200 && changed.header("ETag") != tag)
        await setup.shutdown(timeout: .zero)
    }

    @Test("an evaluation records no exposure and counts as none")
    func noExposure() async throws {
        let setup = try await start { $0.experiments.exposureNamespaces = ["a"] }
        _ = await evaluate(setup, "home.page.hero.text", #"{"targetingKey":"u-1"}"#)
        _ = await ConsoleBrowser(setup).send("POST", Self.path, #"{"context":{"targetingKey":"u-2"}}"#)
        #expect(setup.experiments.counters.exposuresTracked == 0)
        #expect(setup.tracker("a")?.counters.tracked == 0)
        #expect(setup.features.usage.allSatisfy { $0.evaluations.isEmpty })
        await setup.shutdown(timeout: .zero)
    }
}
