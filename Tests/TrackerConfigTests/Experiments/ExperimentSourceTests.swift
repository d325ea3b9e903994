import TestSupport
import Testing
import TrackerConfig
import TrackerFeatures
import TrackerGrowthBook

/// Experiments that rules name, of documents and of providers beside them.
@Suite("Experiments of rules", .endsWhenItHangs)
struct ExperimentSourceTests {
    private let site = ExposureSite()
    private let user = FeatureContext(units: ["id": "u-1", "userId": "u-1"])

    /// Features of a default document and of providers, whose exposures go to namespace `a`.
    private func features(
        _ features: String = "{}", experiments: String = "[]", providers: any FeatureValueProvider...
    ) throws -> Features {
        let text = DocumentText.document(1, more: #","features":\#(features),"experiments":\#(experiments)"#)
        let document = try Document(Array(text.utf8))
        var options = FeatureOptions()
        options.providers = providers
        let result = Features(
            options, defaultFeatures: document.features, defaultExperiments: document.experiments,
            log: Log(nil, level: .off)
        ) { [site] parts in
            parts.tracker = { site.registry.tracker($0) }
            parts.options.exposureNamespaces = ["a"]
            parts.options.entityNamespaces = ["a"]
        }
        _ = result.replaceDocument(by: nil)
        result.store.listeners.release()
        result.load { _ in }
        return result
    }

    private static func growthBook(_ features: String) throws -> FeaturePriorityTests.Provider {
        let payload = try GrowthBookPayload(Array(#"{"features":\#(features)}"#.utf8))
        return FeaturePriorityTests.Provider("gb", payload.features)
    }

    /// A feature whose rule has a sticky experiment.
    private static func sticky(_ id: String) -> [FeatureDefinition] {
        let experiment = Experiment.weighted(1, id: id, isSticky: true)
        return [FeatureDefinition(name: id, rules: [FeatureRule(id: "r", experiment: experiment)])]
    }

    private func variant(_ id: String, in features: Features, recordsExposure: Bool = true) -> String {
        features.experiments.variant(of: id, default: "-", for: user, recordsExposure: recordsExposure).short
    }

    @Test("an experiment that is evaluated without an exposure records none of those that its prerequisites ask for")
    func prerequisite() async throws {
        let features = try features(
            #"{"parent":{"enabled":false,"rules":[{"id":"r","experiment":"p"}]}}"#,
            experiments: """
                [{"id":"p","variants":[{"name":"on","enabled":{"parent":true}}]},
                 {"id":"c","prerequisites":[{"feature":"parent"}],"variants":[{"name":"a"}]}]
                """)
        #expect(variant("c", in: features, recordsExposure: false) == "a assigned")
        #expect(await site.told() == [])
        #expect(variant("c", in: features) == "a assigned")
        #expect(await site.told().count == 2)
        // Neither of them is a read of the feature.
        #expect(features.usage.allSatisfy { $0.evaluations.isEmpty })
    }

    @Test("rules of the default keep no experiment that a remote document has ended, but their gates")
    func ended() async throws {
        let features = try features(
            """
            {"f":{"variables":{"v":{"value":1}},"rules":[{"id":"r","experiment":"x"}]},
             "g":{"enabled":true,"rules":[{"id":"r","experiment":"x","prerequisites":[{"feature":"off","gate":true}]}]},
             "off":{"enabled":false}}
            """, experiments: #"[{"id":"x","variants":[{"name":"a","values":{"f":{"v":5}}}]}]"#)
        func value() -> Int { features.value("f", variable: "v", default: 0, for: user) }
        #expect(value() == 5)
        #expect(!features.isEnabled("g", for: user))
        _ = features.replaceDocument(by: FeatureStore.Remote(version: 7, features: [], experiments: []))
        features.store.listeners.release()
        #expect(value() == 1)
        #expect(!features.isEnabled("g", for: user))
        #expect(variant("x", in: features) == "- unknown")
        #expect(await site.told().count == 1)
    }

    @Test("rules of several features that share a GrowthBook experiment make one exposure and one assignment")
    func shared() async throws {
        let rule = #""key":"e","condition":{"id":{"$exists":true}},"variations"#
        let provider = try Self.growthBook(
            #"{"f":{"rules":[{"key":"e","variations":[1,2]}]},"g":{"rules":[{\#(rule)":["x","y"]}]}}"#)
        let features = try features(providers: provider)
        site.registry.trackers.values.forEach(features.experiments.attach)
        #expect(!features.value("g", variable: "value", default: "", for: user).isEmpty)
        _ = withTrackingContext(TrackingContext(evaluation: user)) {
            site.registry.tracker("a")?.track(Structured(category: "cart", action: "add"))
        }
        #expect(features.value("f", variable: "value", default: 0, for: user) > 0)
        #expect(await site.told().count == 1)
        let entities = await site.events().compactMap { $0["co"] }
        #expect(entities.contains { $0.contains(#""experiment":"e""#) })
    }

    @Test("a GrowthBook experiment that is evaluated by its id asks for the prerequisites of its rule")
    func byID() async throws {
        let parents = #""parentConditions":[{"id":"p","condition":{"value":true},"gate":true}]"#
        let provider = try Self.growthBook(
            #"{"p":{"defaultValue":false},"f":{"rules":[{"key":"e","variations":[1,2],\#(parents)}]}}"#)
        let features = try features(providers: provider)
        #expect(variant("e", in: features) == "- prerequisite")
        try features.overrides.set(true, for: "p", variable: "value")
        #expect(variant("e", in: features).hasSuffix(" assigned"))
        #expect(features.detail("f", variable: "value", default: 0, for: user).reason == .split)
    }

    @Test("an exposure of a provider's experiment carries no document's version")
    func version() async throws {
        let features = try features(providers: Self.growthBook(#"{"f":{"rules":[{"key":"e","variations":[1,2]}]}}"#))
        let own = Experiment.weighted(0, 1)
        _ = features.replaceDocument(by: FeatureStore.Remote(version: 7, features: [], experiments: [own]))
        features.store.listeners.release()
        for id in ["e", "x"] { _ = variant(id, in: features) }
        #expect(await site.told().map { $0.contains(#""version":7"#) } == [false, true])
    }
}
