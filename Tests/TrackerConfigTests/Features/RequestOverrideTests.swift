import TestSupport
import Testing
import TrackerConfig
import TrackerFeatures
import TrackerTesting

/// What one request overrides, for its tester alone.
@Suite("Overrides of one request", .endsWhenItHangs)
struct RequestOverrideTests {
    private struct Checkout: Decodable {
        let plain: Int
        let ruled: Int
    }

    private static let text = """
        {"checkout": {"enabled": false, "variables": {"plain": {"value": 1}, "ruled": {"value": 1}, "drawn": {"value": 1}},
          "rules": [{"id": "pro", "condition": {"plan": "pro"}, "enabled": true, "values": {"ruled": 2}}]},
         "express": {"enabled": false},
         "next": {"enabled": false, "rules": [{"id": "r", "prerequisites": {"feature": "express"}, "enabled": true}]}}
        """
    private static let experiments = """
        [{"id": "x", "sticky": true, "variants": [{"name": "a", "weight": 100, "values": {"checkout": {"drawn": 2}}},
          {"name": "b", "weight": 0, "values": {"checkout": {"drawn": 3}}}]}]
        """

    private static func features(log: MemoryLog? = nil) throws -> Features {
        try Features(text, experiments: experiments, log: log)
    }

    private static let overrides: JSONObject = [
        "enabled": ["express": true], "values": ["checkout": ["plain": 7, "ruled": 8]], "variants": ["x": "b"],
    ]

    private static let many: JSONObject = {
        let values = (0..<101).map { ("v\($0)", JSONValue.int(1)) }
        return ["values": ["f": .object(JSONObject(values))]]
    }()

    private static let long: JSONObject = ["values": ["f": ["v": .string(String(repeating: "x", count: 9000))]]]

    /// What each way of reading gives for a context; nil reads for the one that is bound.
    private func readings(
        _ features: Features, _ handles: [Variable<Int>], for context: FeatureContext?
    ) throws -> [Int] {
        let snapshot = features.snapshot
        let whole: Checkout = try features.feature("checkout", for: context)
        let values = handles.map { handle in context.map { handle.value(for: $0) } ?? handle.value }
        return values + [
            features.value("checkout", variable: "plain", default: 0, for: context),
            features.value("checkout", variable: "ruled", default: 0, for: context),
            features.value("checkout", variable: "drawn", default: 0, for: context),
            snapshot.value("checkout", variable: "plain", default: 0, for: context),
            features.detail("checkout", variable: "ruled", default: 0, for: context).value,
            whole.plain, whole.ruled, features.values(of: "checkout", for: context)?.variables["plain"]?.int ?? 0,
            features.isEnabled("express", for: context) ? 1 : 0,
            context == nil && features.isEnabled("express") ? 1 : 0,
            snapshot.isEnabled("express", for: context) ? 1 : 0, features.isEnabled("next", for: context) ? 1 : 0,
        ]
    }

    @Test("reach every way of reading, and no other request", arguments: [false, true])
    func reads(isBound: Bool) throws {
        let features = try Self.features()
        let handles = ["plain", "ruled", "drawn"].map {
            Variable(features, "checkout", variable: $0, default: 0)
        }
        let plain = FeatureContext(userID: "u-1")
        func read(_ context: FeatureContext) throws -> [Int] {
            guard isBound else { return try readings(features, handles, for: context) }
            return try withTrackingContext(TrackingContext(evaluation: context)) { () throws in
                try readings(features, handles, for: nil)
            }
        }
        let usual = [1, 1, 2, 1, 1, 2, 1, 1, 1, 1, 1, 0, 0, 0, 0]
        #expect(try read(plain) == usual)
        var tester = plain
        tester.overrides = try features.overrides.forRequest(Self.overrides)
        for _ in 0..<2 {
            #expect(try read(tester) == [7, 8, 3, 7, 8, 3, 7, 8, 7, 8, 7, 1, isBound ? 1 : 0, 1, 1])
            #expect(try read(plain) == usual)
            // Changes of other sources leave them in effect.
            try features.overrides.set(4, for: "checkout", variable: "plain")
            #expect(features.value("checkout", variable: "plain", default: 0, for: tester) == 7)
            #expect(handles[0].value(for: plain) == 4)
            try features.overrides.remove("checkout", variable: "plain")
        }
    }

    @Test("are above overrides of the process, and named as the source")
    func precedence() throws {
        let features = try Self.features()
        try features.overrides.set(4, for: "checkout", variable: "plain")
        try features.overrides.force("a", of: "x")
        var tester = FeatureContext(userID: "u-1")
        tester.overrides = try features.overrides.forRequest(Self.overrides)
        let detail = features.detail("checkout", variable: "plain", default: 0, for: tester)
        #expect((detail.value, detail.source, detail.reason) == (7, .request, .targetingMatch))
        #expect(
            features.explain("checkout", variable: "plain", for: tester).summary
                == "7 (request), over 4 (override), 1 (default)")
        let assignment = features.experiments.variant(of: "x", default: "-", for: tester)
        #expect((assignment.variant, assignment.reason) == ("b", .forced))
        #expect(features.experiments.variant(of: "x", default: "-").variant == "a")
    }

    @Test("a value of another type and a variant that there is not fall through")
    func fallingThrough() throws {
        let features = try Self.features()
        try features.overrides.force("b", of: "x")
        var tester = FeatureContext(userID: "u-1")
        tester.overrides = try features.overrides.forRequest([
            "values": ["checkout": ["plain": "seven"]], "variants": ["x": "gone"],
        ])
        let detail = features.detail("checkout", variable: "plain", default: 0, for: tester)
        #expect((detail.value, detail.source, detail.error?.code) == (1, .default, .wrongType))
        #expect(Variable(features, "checkout", variable: "plain", default: 0).value(for: tester) == 1)
        #expect(features.experiments.variant(of: "x", default: "-", for: tester).variant == "b")
    }

    @Test("enter no statistics: no exposure, no stored assignment, of no experiment of the request")
    func statistics() async throws {
        let shop = FeatureService()
        shop.publish(1, Self.text, experiments: Self.experiments)
        let setup = try await shop.start { $0.experiments.exposureNamespaces = ["a"] }
        var tester = FeatureContext(userID: "u-1")
        func read(_ overrides: JSONObject?) async throws -> (exposures: Int, stored: Int) {
            tester.overrides = try overrides.map { try setup.features.overrides.forRequest($0) }
            _ = setup.features.value("checkout", variable: "drawn", default: 0, for: tester)
            _ = setup.features.isEnabled("checkout", for: tester)
            _ = setup.experiments.variant(of: "x", default: "-", for: tester)
            await setup.experiments.prepare(for: tester)
            _ = setup.experiments.variant(of: "x", default: "-", for: tester)
            struct Whole: Decodable { let drawn: Int }
            let _: Whole = try setup.features.feature("checkout", for: tester)
            _ = await setup.experiments.flush(timeout: .seconds(60))
            let counters = setup.experiments.counters
            return (counters.exposuresTracked, counters.assignmentsStored)
        }
        #expect(try await read(["variants": ["x": "b"]]) == (0, 0))
        // Not the variant that the hash gives beside another override either.
        #expect(try await read(["enabled": ["express": true]]) == (0, 0))
        #expect(try await read(nil) == (1, 1))
        await setup.shutdown(timeout: .zero)
    }

    private static let faults: [(JSONObject, String)] = [
        (["flags": [:]], "flags: overrides have enabled, values and variants"),
        (["enabled": ["f": "yes"]], "enabled.f: expected a boolean, found a string"),
        (["values": ["f": 3]], "values.f: expected an object, found an integer"),
        (["variants": ["x": 1]], "variants.x: expected the name of a variant, found an integer"),
        (["enabled": []], "enabled: expected an object, found a list"),
        (many, "overrides: a request overrides at most 100 names, and not 101"),
        (long, "overrides: they have 9025 bytes, and at most 8192 are used"),
    ]

    @Test("that cannot be used are refused with their place", arguments: faults)
    func refused(json: JSONObject, sentence: String) throws {
        let features = try Self.features()
        let error = try #require(throws: FeatureError.self) { try features.overrides.forRequest(json) }
        #expect("\(error)" == sentence)
        #expect(error.code == .invalidOverrides)
    }

    @Test("of names that no source has are counted and logged once")
    func unknown() throws {
        let log = MemoryLog()
        let features = try Self.features(log: log)
        for _ in 0..<2 {
            _ = try features.overrides.forRequest([
                "enabled": ["gone": true], "values": ["checkout": ["gone": 1]], "variants": ["x": "gone", "y": "a"],
            ])
        }
        #expect(features.unknownNames == 8)
        let lines = log.records.map(\.message).filter { $0.hasPrefix("override of") }
        #expect(
            lines.count == 4 && lines.contains("override of experiment y: no source has this experiment"), "\(lines)")
    }

    @Test("reach the reads of another setup of the process too")
    func otherSetup() throws {
        let document = #"{"f":{"enabled":false,"variables":{"v":{"value":1}}}}"#
        let (own, other) = (try Features(document), try Features(document))
        var context = FeatureContext(userID: "u-1")
        context.overrides = try own.overrides.forRequest(["enabled": ["f": true], "values": ["f": ["v": 9]]])
        #expect(other.isEnabled("f", for: context))
        #expect(other.value("f", variable: "v", default: 0, for: context) == 9)
        #expect(other.detail("f", variable: "v", default: 0, for: context).source == .request)
    }
}
