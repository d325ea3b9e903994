import TestSupport
import Testing
import TrackerConfig
import TrackerFeatures

/// Features are read for the request that is bound to the task.
@Suite("Features of a request", .endsWhenItHangs)
struct RequestFeatureTests {
    private struct Checkout: Decodable {
        let retryLimit: Int
    }

    private let features = Features(
        [
            FeatureDefinition(
                name: "checkout", isEnabled: true,
                variables: [
                    VariableDefinition(name: "retryLimit", value: 3),
                    VariableDefinition(name: "banner", value: "welcome"),
                ])
        ],
        experiments: [
            Experiment(
                id: "x", countries: ["US"],
                variants: [ExperimentVariant(name: "b", weight: 1, values: ["checkout": ["retryLimit": 5]])])
        ])

    private let request = TrackingContext(evaluation: FeatureContext(units: ["userId": "u-1"], country: "US"))
    private let other = FeatureContext(units: ["userId": "u-2"], country: "DE")

    /// What each way of reading gives: 3 without the experiment, 5 with it.
    private func readings(_ context: FeatureContext? = nil) throws -> [Int] {
        let checkout: Checkout = try features.feature("checkout", for: context)
        let required: Int = try features.require("checkout", variable: "retryLimit", for: context)
        let snapshot = features.snapshot
        return [
            features.value("checkout", variable: "retryLimit", default: 0, for: context),
            features.detail("checkout", variable: "retryLimit", default: 0, for: context).value,
            required, checkout.retryLimit,
            features.values(of: "checkout", for: context)?.variables["retryLimit"]?.int ?? 0,
            snapshot.value("checkout", variable: "retryLimit", default: 0, for: context),
            features.explain("checkout", variable: "retryLimit", for: context).value?.int ?? 0,
            features.experiments.variant(of: "x", default: "-", for: context).variant == "b" ? 5 : 3,
        ]
    }

    @Test("take the request's context by default in every read, and a given one first")
    func reads() throws {
        #expect(try readings() == Array(repeating: 3, count: 8))
        try withTrackingContext(request) { () throws in
            #expect(try readings() == Array(repeating: 5, count: 8))
            #expect(try readings(other) == Array(repeating: 3, count: 8))
            try withTrackingContext(nil) { () throws in #expect(try readings() == Array(repeating: 3, count: 8)) }
            try withTrackingContext(TrackingContext(subject: EventSubject(userID: "u-1"))) { () throws in
                #expect(try readings() == Array(repeating: 3, count: 8))
            }
        }
        #expect(try readings() == Array(repeating: 3, count: 8))
    }

    @Test("one context binds the request's user for events and for flags")
    func eventsAndFlags() async throws {
        let shop = FeatureService()
        let rule = #"{"id":"ann","condition":{"userId":"u-1"},"values":{"retryLimit":5}}"#
        shop.publish(1, #"{"checkout":{"variables":{"retryLimit":{"value":3}},"rules":[\#(rule)]}}"#)
        let setup = try await shop.start()
        func use() -> Int {
            setup.track(Structured(category: "cart", action: "add"), to: "a")
            return setup.features.value("checkout", variable: "retryLimit", default: 1)
        }
        let user = TrackingContext(subject: EventSubject(userID: "u-1"), evaluation: FeatureContext(userID: "u-1"))
        #expect(withTrackingContext(user) { use() } == 5)
        #expect(use() == 3)
        await setup.tracker("a")?.flush()
        #expect(shop.service.delivered.map { $0["uid"] } == ["u-1", nil])
        await setup.shutdown(timeout: .zero)
    }

    @Test("as properties and generated accessors do so too, and hand no request's value to another")
    func handles() throws {
        let variable = Variable(features, "checkout", variable: "retryLimit", default: 0)
        let banner = Variable(features, "checkout", variable: "banner", default: "")
        let required: Variable<Int> = try Variable(features, "checkout", requiring: "retryLimit")
        let optional = Variable<Int?>(features, "checkout", variable: "retryLimit")
        let settings = ShopAccessors(features)
        func readings() -> [Int?] {
            [variable.value, required.wrappedValue, optional.wrappedValue, settings.checkout.retryLimit]
        }
        for _ in 0..<2 {
            #expect(readings() == [3, 3, 3, 3])
            withTrackingContext(request) {
                #expect(readings() == [5, 5, 5, 5])
                #expect(banner.value == "welcome")
                #expect(settings(for: other).checkout.retryLimit == 3)
                #expect(variable.value(for: other) == 3)
                #expect(variable.evaluated(in: TrackingContext()).value == 3)
            }
            #expect(settings(for: request.evaluation ?? other).checkout.retryLimit == 5)
            #expect(settings(for: other).checkout.banner == "welcome")
            #expect(variable.value(for: request.evaluation ?? other) == 5)
        }
        #expect(readings() == [3, 3, 3, 3])
    }

    @Test("generated accessors of one context have its rules, for flags too, whatever is bound to the task")
    func flags() throws {
        let staff = FeatureContext(units: [:], attributes: ["staff": true])
        let document = """
            {"checkout":{"enabled":false,"variables":{"retryLimit":{"value":3}},
            "rules":[{"id":"staff","condition":{"staff":true},"values":{"retryLimit":5},"enabled":true}]},
            "newCheckout":{"enabled":false,"rules":[{"id":"staff","condition":{"staff":true},"enabled":true}]}}
            """
        let features = Features(try FeatureService.default(document).features)
        let settings = ShopAccessors(features)
        func flags(_ settings: ShopAccessors) -> [Bool] {
            [settings.checkout.isEnabled, settings.newCheckout.isEnabled]
        }
        #expect(features.isEnabled("newCheckout", for: staff))
        #expect(flags(settings) == [false, false])
        #expect(flags(settings(for: staff)) == [true, true])
        #expect(settings.newCheckout(for: staff).isEnabled)
        #expect(settings(for: staff).checkout.retryLimit == 5)
        withTrackingContext(TrackingContext(evaluation: staff)) {
            #expect(flags(settings) == [true, true])
            #expect(flags(settings(for: FeatureContext())) == [false, false])
        }
    }

    @Test("follow changes within a request")
    func changes() throws {
        let variable = Variable(features, "checkout", variable: "retryLimit", default: 0)
        try withTrackingContext(request) {
            #expect(variable.value == 5)
            try variable.setOverride(9)
            #expect(variable.value == 9)
            try variable.removeOverride()
            #expect(variable.value == 5)
        }
    }

    @Test("that change within a request are given to listeners without its experiments")
    func listeners() async throws {
        let heard = Locked<[JSONValue?]>([])
        let bound = Locked(false)
        let observation = features.onChange(of: "checkout") { change in
            heard.withLock { $0.append(change.new?.variables["retryLimit"]) }
            bound.withLock { $0 = $0 || TrackingContext.current != nil }
        }
        try withTrackingContext(request) {
            try features.overrides.set("bye", for: "checkout", variable: "banner")
        }
        for await change in features.changes(of: "checkout") {
            #expect(change.new?.variables["retryLimit"] == 3)
            break
        }
        #expect(heard.withLock { $0 }.count == 2 && heard.withLock { $0 }.allSatisfy { $0 == 3 })
        #expect(!bound.withLock { $0 })
        observation.cancel()
    }

    @Test("are each task's own when a hundred run at once")
    func concurrency() async {
        let variable = Variable(features, "checkout", variable: "retryLimit", default: 0)
        let wrong = await withTaskGroup(of: Int.self) { group in
            for number in 0..<100 {
                group.addTask { [features] in
                    let country = number % 2 == 0 ? "US" : "DE"
                    let context = TrackingContext(
                        evaluation: FeatureContext(units: ["userId": "u-\(number)"], country: country))
                    return await withTrackingContext(context) {
                        await Task.yield()
                        let readings = [variable.value, features.value("checkout", variable: "retryLimit", default: 0)]
                        return readings == Array(repeating: number % 2 == 0 ? 5 : 3, count: 2) ? 0 : 1
                    }
                }
            }
            return await group.reduce(0, +)
        }
        #expect(wrong == 0)
    }
}
