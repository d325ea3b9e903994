import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerConsole
import TrackerCore
import TrackerTesting

/// What a console changes.
@Suite("Console: changes", .endsWhenItHangs)
struct ConsoleChangeTests {
    private let shop = FeatureService()
    private static let experiment = #"[{"id":"e","variants":[{"name":"a","weight":1},{"name":"b","weight":0}]}]"#
    private static let features = """
        {"f":{"enabled":true,"variables":{"bool":{"value":true},"int":{"value":3},"double":{"value":1.5},
        "text":{"value":"t"},"list":{"value":[1]},"object":{"value":{"a":1}},"key":{"value":"c","encrypted":true}}}}
        """

    private func start(_ configure: (inout SetupOptions) -> Void = { _ in }) async throws -> (Setup, ConsoleBrowser) {
        shop.publish(1, Self.features, experiments: Self.experiment)
        return try await shop.browse(configure)
    }

    @Test("a feature is turned off and on, and left to the document again")
    func enabled() async throws {
        let (setup, browser) = try await start()
        #expect(await browser.set("features/f/enabled", "false").status == 200)
        #expect(!setup.features.isEnabled("f"))
        #expect(await browser.send("DELETE", "features/f/enabled?by=dana").status == 200)
        #expect(setup.features.isEnabled("f"))
        #expect(await browser.set("features/f/enabled", "1").error == "expected a boolean, found an integer")
        await setup.shutdown(timeout: .zero)
    }

    @Test("a value must be of the variable's kind")
    func kinds() async throws {
        let (setup, browser) = try await start()
        for (variable, body, status) in [
            ("bool", "false", 200), ("bool", "1", 422), ("bool", #""true""#, 422), ("int", "4", 200),
            ("int", "4.5", 422), ("int", #""4""#, 422), ("double", "4.5", 200), ("double", "4", 200),
            ("double", "true", 422), ("text", #""""#, 200), ("text", "1", 422), ("list", "[]", 200),
            ("list", "{}", 422), ("object", "{}", 200), ("object", "null", 422), ("int", "null", 422),
            ("key", #""c""#, 422), ("int", "", 400), ("int", "9 9", 400),
        ] {
            let answer = await browser.set("features/f/variables/\(variable)", body)
            #expect(answer.status == status && (answer.error != nil) == (status != 200), "\(variable): \(body)")
            #expect(setup.features.overrides.features.isEmpty == (status != 200))
            _ = await browser.send("DELETE", "overrides?by=dana")
        }
        await setup.shutdown(timeout: .zero)
    }

    @Test("a text of a provider is of the kind that the document has, else a text")
    func texts() async throws {
        let texts = FeaturePriorityTests.feature(nil, ["int": "5", "own": "5"])
        let (setup, browser) = try await start { $0.features.providers = [FeaturePriorityTests.Provider("p", texts)] }
        #expect(setup.features.value("f", variable: "int", default: 0) == 5)
        #expect(await browser.set("features/f/variables/int", #""x""#).status == 422)
        #expect(await browser.set("features/f/variables/int", "9").status == 200)
        #expect(setup.features.value("f", variable: "int", default: 0) == 9)
        #expect(await browser.set("features/f/variables/own", "9").status == 422)
        #expect(await browser.set("features/f/variables/own", #""x""#).status == 200)
        await setup.shutdown(timeout: .zero)
    }

    @Test("says in a sentence what is wrong")
    func sentences() async throws {
        let (setup, browser) = try await start()
        #expect(
            await browser.set("features/f/variables/int", #""x""#).error
                == "f.int: expected an integer, found a string")
        #expect(await browser.set("features/f/variables/none", "1").error == "there is no variable 'f.none'")
        #expect(await browser.set("features/none/enabled", "true").error == "there is no feature 'none'")
        #expect(await browser.set("experiments/none/variant", #""a""#).status == 404)
        #expect(await browser.set("experiments/e/variant", #""c""#).error == #"'e' has no variant "c""#)
        #expect(
            await browser.set("features/f/variables/key", #""x""#).error
                == "f.key is encrypted, and a console does not change secrets")
        await setup.shutdown(timeout: .zero)
    }

    @Test("a variant is forced, and all that was turned is turned back at once")
    func forced() async throws {
        let (setup, browser) = try await start()
        let context = FeatureContext(userID: "u")
        #expect(await browser.set("experiments/e/variant", #""b""#).status == 200)
        #expect(setup.experiments.variant(of: "e", default: "", for: context, recordsExposure: false).variant == "b")
        #expect(await browser.send("DELETE", "experiments/e/variant?by=dana").status == 200)
        #expect(setup.experiments.variant(of: "e", default: "", for: context, recordsExposure: false).variant == "a")
        _ = await browser.set("experiments/e/variant", #""b""#)
        _ = await browser.set("features/f/enabled", "false")
        _ = await browser.set("features/f/variables/int", "9")
        #expect(await browser.send("DELETE", "overrides?by=dana").status == 200)
        #expect(setup.features.overrides.features.isEmpty && setup.features.overrides.variants.isEmpty)
        await setup.shutdown(timeout: .zero)
    }

    @Test("names are compared by their bytes: another normalization of a name is another name")
    func names() async throws {
        let (setup, browser) = try await start()
        let text = FeatureService.document(2, "{\"caf\u{E9}\":{\"enabled\":true}}")
        shop.service.serve(text.replacing(#""namespace":"a""#, with: "\"namespace\":\"caf\u{E9}\""))
        #expect(await setup.refresh().kind == .applied)
        #expect(await browser.send("GET", "trackers?namespace=cafe%CC%81").status == 404)
        #expect(await browser.set("features/cafe\u{301}/enabled", "false").status == 404)
        await setup.shutdown(timeout: .zero)
    }

    @Test("what cannot be kept on disk is in effect, and a warning says so")
    func unkept() async throws {
        let (setup, browser) = try await start { $0.features.overridesFile = "/proc/none/overrides.json" }
        let answer = await browser.set("features/f/variables/int", "9")
        #expect(answer.status == 200)
        #expect(answer.json["warning"]?.string?.contains("in effect") == true)
        #expect(setup.features.value("f", variable: "int", default: 0) == 9)
        await setup.shutdown(timeout: .zero)
    }

    @Test("a refresh tells how it ended")
    func refresh() async throws {
        let (setup, browser) = try await start()
        shop.publish(2, "{}")
        let answer = await browser.send("POST", "refresh")
        #expect(answer.json.at("outcome.kind") == "applied")
        #expect(await browser.get("status").at("document.version") == 2)
        await setup.shutdown(timeout: .zero)
        #expect(await browser.send("POST", "refresh").json.at("outcome.kind") == "failed")
    }

    @Test("a document that needs a newer SDK is trouble, for the outcome, the status and the log alike")
    func unmetRequirement() async throws {
        let (setup, browser) = try await start()
        shop.service.serve(
            FeatureService.document(2, "{}").replacing("{\"$schema", with: "{\"requires\":[\"telepathy\"],\"$schema"))
        let outcome = await setup.refresh()
        #expect(outcome.kind == .held)
        #expect(ConfigurationChange(outcome, at: Date()).needsAttention)
        #expect(setup.status.pending?.needsAttention == true)
        #expect(shop.service.log.records.contains { $0.level == .warning && $0.message.contains("'telepathy'") })
        #expect(await browser.send("POST", "refresh").json.at("outcome.isTrouble") == true)
        // One that is for other instances is not.
        let other = ConfigurationOutcome.held(HoldReason(.notSelected, "it is for others"), version: 2)
        #expect(!ConfigurationChange(other, at: Date()).needsAttention)
        await setup.shutdown(timeout: .zero)
    }

    @Test("without leave nothing changes, whatever is asked")
    func readOnly() async throws {
        let (setup, _) = try await start()
        let browser = ConsoleBrowser(setup) { _ in }
        let fetches = shop.service.fetches.count
        for (method, path, body) in [
            ("POST", "refresh", nil), ("PUT", "features/f/enabled", "false"), ("DELETE", "overrides", nil),
            ("PUT", "features/f/variables/int", "9"), ("PUT", "experiments/e/variant", #""b""#),
            ("DELETE", "features/f/enabled", nil), ("DELETE", "features/f/variables/int", nil),
            ("DELETE", "experiments/e/variant", nil),
        ] {
            let answer = await browser.send(method, path, body)
            #expect((answer.status, answer.error) == (403, "this console is read-only"))
        }
        #expect(setup.features.overrides.features.isEmpty && setup.features.overrides.variants.isEmpty)
        #expect(shop.service.fetches.count == fetches)
        await setup.shutdown(timeout: .zero)
    }
}

extension ConsoleBrowser {
    /// Sets an override to a value, as JSON text.
    fileprivate func set(_ path: String, _ value: String) async -> Answer {
        await send("PUT", path, #"{"value":\#(value),"by":"dana"}"#)
    }
}
