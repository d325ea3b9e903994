import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerCore

/// One refresh, and all who follow it.
@Suite("The story of a refresh", .endsWhenItHangs)
struct FeatureStoryTests {
    private let shop = FeatureService()

    private struct Page {
        @Variable var banner: String

        init(_ features: Features) {
            _banner = Variable(features, "checkout", variable: "banner", default: "none")
        }
    }

    private static func experiment(_ weights: (Int, Int), limit: Int) -> String {
        """
        [{"id":"checkout_01","variants":[{"name":"control","weight":\(weights.0)},
        {"name":"fast","weight":\(weights.1),"values":{"checkout":{"retryLimit":\(limit)}}}]}]
        """
    }

    private var exposures: [JSONValue] {
        shop.service.delivered.compactMap { event in
            guard let text = event["ue_pr"], let json = try? JSONReader.read(Array(text.utf8)).value else { return nil }
            let isExposure = json["data"]?["schema"] == "iglu:io.tracker-config/exposure/jsonschema/1-0-1"
            return isExposure ? json["data"]?["data"] : nil
        }
    }

    @Test("a listener, a property, generated accessors, an experiment, exposures and entities all follow one refresh")
    func story() async throws {
        // A service starts: checkout is on, and nobody gets the fast variant.
        shop.publish(
            1, #"{"checkout":{"enabled":true,"variables":{"retryLimit":{"value":3},"banner":{"value":"hello"}}}}"#,
            experiments: Self.experiment((1, 0), limit: 8))
        let setup = try await shop.start { options in
            options.experiments.exposureNamespaces = ["a"]
            options.experiments.entityNamespaces = ["a"]
        }
        try setup.tracker("a")?.settings.set(\.base64Encoding, to: false)
        try setup.tracker("a")?.subject.set(\.userID, to: "ann")
        let page = Page(setup.features)
        let accessors = ShopAccessors(setup.features)
        let context = FeatureContext(userID: "ann")
        let heard = Locked<[FeatureChange<FeatureValues>]>([])
        setup.features.onChange(of: "checkout") { change in heard.withLock { $0.append(change) } }

        #expect(page.banner == "hello")
        #expect(accessors.checkout.isEnabled)
        #expect(accessors.checkout.retryLimit == 3)
        #expect(setup.features.value("checkout", variable: "retryLimit", default: 0, for: context) == 3)
        #expect(setup.experiments.variant(of: "checkout_01", default: "none", for: context).variant == "control")

        // The file changes: checkout is off, has another banner, and everybody gets the fast variant.
        let outcome = await shop.apply(
            2, #"{"checkout":{"enabled":false,"variables":{"retryLimit":{"value":4},"banner":{"value":"bye"}}}}"#,
            experiments: Self.experiment((0, 1), limit: 9), to: setup)
        #expect(outcome == .applied(version: 2, namespaces: ["a"]))

        #expect(page.banner == "bye")
        #expect(accessors.checkout.banner == "bye")
        #expect(!accessors.checkout.isEnabled)
        #expect(accessors.checkout.retryLimit == 4)
        let assignment = setup.experiments.variant(of: "checkout_01", default: "none", for: context)
        #expect(assignment.variant == "fast")
        #expect(assignment.values == ["checkout": ["retryLimit": 9]])
        let reading = setup.features.detail("checkout", variable: "retryLimit", default: 0, for: context)
        #expect(reading.value == 9)
        #expect(reading.source == .experiment(id: "checkout_01", variant: "fast"))
        #expect(
            heard.withLock { $0.map(\.new) } == [
                FeatureValues(isEnabled: true, variables: ["retryLimit": 3, "banner": "hello"]),
                FeatureValues(isEnabled: false, variables: ["retryLimit": 4, "banner": "bye"]),
            ])

        // And the warehouse knows who had what.
        setup.tracker("a")?.track(Structured(category: "cart", action: "add"))
        await setup.tracker("a")?.flush(timeout: .seconds(5))
        #expect(exposures.map { $0["variant"]?.string } == ["control", "fast"])
        #expect(
            exposures.last == [
                "experiment": "checkout_01", "variant": "fast", "unit": "userId", "unitId": "ann", "version": 2,
                "sticky": false,
            ])
        let event = try #require(shop.service.delivered.first { $0["se_ca"] == "cart" })
        let entities = try JSONReader.read(Array(try #require(event["co"]).utf8)).value["data"]?.array ?? []
        #expect(
            entities.contains([
                "schema": "iglu:io.tracker-config/assignments/jsonschema/1-0-1",
                "data": ["version": 2, "assignments": [["experiment": "checkout_01", "variant": "fast"]]],
            ]))
        await setup.shutdown(timeout: .zero)
    }

    @Test("explaining and watching tell no exposure, and a forced variant neither")
    func silent() async throws {
        shop.publish(
            1, #"{"checkout":{"variables":{"retryLimit":{"value":3}}}}"#,
            experiments: Self.experiment((0, 1), limit: 8))
        let setup = try await shop.start { $0.experiments.exposureNamespaces = ["a"] }
        let context = FeatureContext(userID: "ann")
        _ = setup.experiments.variant(of: "checkout_01", default: "", for: context, recordsExposure: false)
        _ = setup.features.explain("checkout", variable: "retryLimit", for: context)
        setup.features.onChange(of: "checkout") { _ in }
        _ = setup.features.value("checkout", variable: "retryLimit", default: 0)
        try setup.features.overrides.force("fast", of: "checkout_01")
        #expect(setup.features.value("checkout", variable: "retryLimit", default: 0, for: context) == 8)
        #expect(setup.experiments.counters.exposuresTracked == 0)
        try setup.features.overrides.force(nil, of: "checkout_01")
        #expect(setup.features.value("checkout", variable: "retryLimit", default: 0, for: context) == 8)
        _ = setup.features.value("checkout", variable: "retryLimit", default: 0, for: context)
        #expect(setup.experiments.counters.exposuresTracked == 1)
        await setup.shutdown(timeout: .zero)
    }

    @Test("a sticky assignment outlives the process, and the experiments of the default end with the first document")
    func restart() async throws {
        func experiment(_ a: Int, _ b: Int) -> String {
            """
            [{"id":"e","sticky":true,"variants":[{"name":"a","weight":\(a)},{"name":"b","weight":\(b)}]}]
            """
        }
        func variant(_ id: String, _ user: String, _ setup: Setup) -> String {
            setup.experiments.variant(of: id, default: "d", for: FeatureContext(userID: user)).short
        }
        shop.publish(1, "{}", experiments: experiment(1, 0))
        let first = try await shop.start()
        #expect(variant("e", "ann", first) == "a assigned*")
        await first.shutdown(timeout: .seconds(1))
        shop.publish(2, "{}", experiments: experiment(0, 1))
        let second = try await shop.start(experiments: #"[{"id":"own","variants":[{"name":"x"}]}]"#)
        #expect(variant("e", "ann", second) == "a sticky*")
        #expect(variant("e", "bob", second) == "b assigned*")
        #expect(variant("own", "ann", second) == "d unknown")
        await shop.apply(3, "{}", to: second)
        #expect(variant("own", "ann", second) == "d unknown")
        #expect(variant("e", "ann", second) == "d unknown")
        await second.shutdown(timeout: .seconds(1))
    }

    @Test("if the state directory cannot be used, sticky experiments are not sticky until a document comes when it can")
    func unwritable() async throws {
        func read(_ setup: Setup) -> String {
            setup.experiments.variant(of: "e", default: "d", for: FeatureContext(userID: "ann")).short
        }
        let experiments = #"[{"id":"e","sticky":true,"variants":[{"name":"a"}]}]"#
        try Array("no directory".utf8).write(to: shop.service.stateDirectory)
        shop.publish(1, "{}", experiments: experiments)
        let setup = try await shop.start()
        for _ in 0..<3 { #expect(read(setup) == "a assigned") }
        #expect(setup.experiments.counters.storeFailures == 1)
        let warnings = shop.service.updates.last?.warnings.filter { $0.place == "experiments" } ?? []
        #expect(warnings.count == 1)
        let sentence = "cannot be opened; sticky experiments behave as if they were not sticky"
        #expect(warnings.first?.reason.contains(sentence) == true)
        try FileManager.default.removeItem(atPath: shop.service.stateDirectory)
        await shop.apply(2, "{}", experiments: experiments, to: setup)
        #expect(read(setup) == "a assigned*")
        await setup.shutdown(timeout: .zero)
    }
}
