import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerConsole
import TrackerCore
import TrackerTesting

/// Names that code gets wrong: each is a warning once, a number, and a line of the status.
@Suite("What code asks for and does not get", .endsWhenItHangs)
struct CodeIssueTests {
    private let shop = FeatureService()

    private static let features = """
        {"checkout":{"enabled":true,"variables":{"days":{"value":3}},
        "rules":[{"id":"staff","condition":{"staff":true},"values":{"note":"hi"}}]}}
        """

    private static let experiments = """
        [{"id":"colour","variants":[{"name":"red"},{"name":"blue","values":{"checkout":{"tint":"b"}}}]}]
        """

    private func start() async throws -> Setup {
        shop.publish(1, Self.features, experiments: Self.experiments)
        return try await shop.start { $0.logLevel = .info }
    }

    /// The warnings about a text.
    private func warnings(_ text: String) -> [String] {
        shop.service.log.records.filter { $0.level == .warning && $0.message.contains(text) }.map(\.message)
    }

    private func lines(_ setup: Setup) -> [String] {
        setup.status.lines.filter { $0.topic == .code }.map(\.text)
    }

    private func metric(_ series: String, _ setup: Setup) async -> Double? {
        Exposition(await ConsoleBrowser(setup).send("GET", "metrics").text)[series]
    }

    @Test("a namespace without a tracker is one warning, a count and a line of the status; tracking to it says so")
    func namespaces() async throws {
        let setup = try await start()
        let event = Structured(category: "cart", action: "add")
        #expect(setup.tracker("a")?.track(event) != nil)
        #expect(setup.track(event, to: "a") != nil)
        try await setup.trackCommitted(event, to: "a")
        #expect(setup.status.untracked == 0)
        for _ in 0..<3 { #expect(setup.tracker("ordes")?.track(event) == nil) }
        #expect(setup.track(event, to: "ordes") == nil)
        let error = await #expect(throws: TrackingError.self) { try await setup.trackCommitted(event, to: "ordes") }
        #expect(error?.code == .noTracker)
        #expect(error.map { "\($0)" } == "the event was not tracked: its namespace has no tracker")
        let sentence = "amespace 'ordes' has no tracker, so its events are not tracked"
        #expect(warnings("ordes") == ["n\(sentence)"])
        #expect(setup.status.untracked == 5)
        #expect(lines(setup) == ["N\(sentence) (5 times)"])
        #expect(await metric("untracked_total", setup) == 5)
        #expect(setup.tracker("a")?.counters.tracked == 3)
        await setup.shutdown(timeout: .zero)
    }

    @Test("the warning about a namespace names the one that was probably meant")
    func similar() async throws {
        let setup = try await start()
        _ = setup.tracker("A")
        #expect(warnings("'A'") == ["namespace 'A' has no tracker, so its events are not tracked; did you mean 'a'?"])
        await setup.shutdown(timeout: .zero)
    }

    @Test("after another document only names that are still missed are lines of the status, and none is logged again")
    func documents() async throws {
        let setup = try await start()
        _ = setup.tracker("b")
        _ = setup.tracker("ordes")
        _ = setup.features.isEnabled("search")
        #expect(lines(setup).count == 2)
        shop.publish(2, #"{"search":{"enabled":true}}"#)
        await setup.refresh()
        #expect(lines(setup) == [])
        #expect(setup.features.isEnabled("search"))
        _ = setup.tracker("ordes")
        #expect(lines(setup) == ["Namespace 'ordes' has no tracker, so its events are not tracked (1 time)"])
        #expect(warnings("ordes").count == 1)
        #expect(setup.status.untracked == 3)
        await setup.shutdown(timeout: .zero)
    }

    @Test("of many unknown namespaces 100 have a line, and all are counted")
    func bounded() async throws {
        let setup = try await start()
        for number in 0..<150 { _ = setup.tracker("n\(number)" + String(repeating: "x", count: 5000)) }
        #expect(setup.status.untracked == 150)
        #expect(warnings("has no tracker").count == 100)
        #expect(warnings("further names of this kind").count == 1)
        #expect(setup.status.issues.count == 100)
        #expect(setup.status.issues.allSatisfy { $0.text.count < 400 })
        await setup.shutdown(timeout: .zero)
    }

    @Test("each form of a read warns once of a feature and of a variable that no source has")
    func unknownNames() async throws {
        let setup = try await start()
        let features = setup.features
        for _ in 0..<3 { #expect(!features.isEnabled("newChekout")) }
        #expect(features.isEnabled("chekout", default: true, for: FeatureContext(userID: "u")))
        #expect(features.value("shiping", variable: "days", default: 7) == 7)
        #expect(features.value("checkout", variable: "dayz", default: 7) == 7)
        #expect(features.snapshot.value("snap", variable: "x", default: 7) == 7)
        #expect(features.values(of: "whole") == nil)
        #expect(Variable(features, "handle", variable: "x", default: 7).value == 7)
        let names = ["newChekout", "chekout", "shiping", "checkout.dayz", "snap", "whole", "handle"]
        for name in names {
            let kind = name.contains(".") ? "variable" : "feature"
            #expect(warnings("\(name): ") == ["\(name): no source has this \(kind); the default of the code is used"])
        }
        for _ in 0..<2 { #expect(setup.experiments.variant(of: "nope", default: "control").reason == .unknown) }
        #expect(
            warnings("experiment nope: ") == [
                "experiment nope: no source has this experiment; the default of the code is used"
            ])
        #expect(features.unknownNames == 11)
        #expect(await metric("feature_unknown_names_total", setup) == 11)
        #expect(
            lines(setup) == [
                "newChekout: no source has this feature; the default of the code is used (3 times), and 7 more"
            ])
        await setup.shutdown(timeout: .zero)
    }

    @Test("a name that rules, experiments or an unset flag know is no mistake, nor is any before there is a document")
    func knownNames() async throws {
        let setup = try await start()
        let features = setup.features
        #expect(features.value("checkout", variable: "note", default: "-") == "-")
        #expect(features.value("checkout", variable: "tint", default: "-") == "-")
        #expect(features.value("checkout", variable: "days", default: 0) == 3)
        #expect(Variable(features, "checkout", variable: "later", default: 1).value == 1)
        try features.overrides.setEnabled(true, for: "checkout")
        try features.overrides.force("red", of: "colour")
        #expect(features.unknownNames == 0)
        #expect(lines(setup) == [])
        await setup.shutdown(timeout: .zero)
        let empty = FeatureService()
        let early = try await empty.start()
        #expect(!early.features.isEnabled("later") && early.features.unknownNames == 0)
        await early.shutdown(timeout: .zero)
    }

    @Test("an override of what no source has is in effect, and is a warning and a count")
    func overrides() async throws {
        let setup = try await start()
        let overrides = setup.features.overrides
        try overrides.force("fats", of: "colour")
        try overrides.force("red", of: "color")
        try overrides.setEnabled(true, for: "newChekout")
        try overrides.set(1, for: "checkout", variable: "dayz")
        #expect(setup.features.isEnabled("newChekout"))
        #expect(
            warnings("override of") == [
                "override of experiment colour: the experiment has no variant 'fats' and ignores the override",
                "override of experiment color: no source has this experiment",
                "override of newChekout.enabled: no source has this feature",
                "override of checkout.dayz: no source has this variable",
            ])
        #expect(setup.features.unknownNames == 4)
        await setup.shutdown(timeout: .zero)
    }

    @Test("a schema that is no Iglu URI is one warning and a count, and the event is sent")
    func schemas() async throws {
        let setup = try await start()
        let tracker = try #require(setup.tracker("a"))
        for _ in 0..<3 { #expect(tracker.track(SelfDescribing(schema: "x", data: [:])) != nil) }
        let event = Structured(category: "cart", action: "add")
        #expect(tracker.track(event, entities: [Entity(schema: "y", data: [:])]) != nil)
        withTrackingContext(TrackingContext(entities: [Entity(schema: "z", data: [:])])) {
            #expect(tracker.track(event) != nil)
        }
        #expect(tracker.track(SelfDescribing(schema: "iglu:com.acme/order/jsonschema/1-0-0", data: [:])) != nil)
        #expect(tracker.counters.malformedSchemas == 5)
        let words =
            "is no Iglu URI (iglu:VENDOR/NAME/jsonschema/N-N-N): the event is sent, and Enrich makes it a failed event"
        #expect(warnings("Iglu") == ["x", "y", "z"].map { "schema '\($0)' \(words)" })
        #expect(lines(setup) == ["Schema 'x' \(words) (3 times), and 2 more"])
        #expect(await metric(#"event_schemas_malformed_total{namespace="a"}"#, setup) == 5)
        await tracker.flush()
        #expect(shop.service.delivered.count == 6)
        await setup.shutdown(timeout: .zero)
    }

    @Test("a value of another type is a line of the status until a document mends it")
    func unreadable() async throws {
        shop.publish(1, #"{"shipping":{"variables":{"days":{"value":"three"}}}}"#)
        let setup = try await shop.start()
        for _ in 0..<4 { #expect(setup.features.value("shipping", variable: "days", default: 3) == 3) }
        #expect(lines(setup) == ["shipping.days cannot be read as an integer: it is a string (4 times)"])
        #expect(warnings("shipping.days") == ["shipping.days: expected an integer, found a string"])
        #expect(setup.status.lines.first?.level == .warning)
        shop.publish(2, #"{"shipping":{"variables":{"days":{"value":4}}}}"#)
        await setup.refresh()
        #expect(setup.features.value("shipping", variable: "days", default: 3) == 4)
        #expect(lines(setup) == [])
        #expect(setup.features.readFailures == 4)
        await setup.shutdown(timeout: .zero)
    }
}
