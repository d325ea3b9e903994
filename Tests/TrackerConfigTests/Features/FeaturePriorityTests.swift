import TestSupport
import Testing
import TrackerConfig
import TrackerFeatures
import TrackerTesting

/// Who wins: override, the service's own providers, experiment, remote document, default document, caller.
@Suite("Priority of features", .endsWhenItHangs)
struct FeaturePriorityTests {
    private let shop = FeatureService()

    /// Says what a test lets it say.
    final class Provider: FeatureValueProvider {
        struct Silence: Error {}

        let name: String
        private let state: Locked<Result<ProvidedFeatures, Silence>>
        private let signals = AsyncStream<Void>.makeStream()

        init(_ name: String, _ features: [FeatureDefinition]) {
            self.name = name
            state = Locked(.success(ProvidedFeatures(features)))
        }

        var changes: AsyncStream<Void> { signals.stream }

        func load() throws -> ProvidedFeatures { try state.withLock { $0 }.get() }

        func say(_ features: [FeatureDefinition]?) {
            state.withLock { $0 = features.map { .success(ProvidedFeatures($0)) } ?? .failure(Silence()) }
        }

        func signal() { signals.continuation.yield() }
    }

    static func feature(_ isEnabled: Bool? = nil, _ variables: [String: JSONValue] = [:]) -> [FeatureDefinition] {
        let definitions = variables.map { VariableDefinition(name: $0.key, value: $0.value) }
        return [FeatureDefinition(name: "f", isEnabled: isEnabled, variables: definitions)]
    }

    private static func options(_ provider: Provider) -> FeatureOptions {
        var options = FeatureOptions()
        options.providers = [provider]
        return options
    }

    private static let experiment = """
        [{"id":"e","variants":[{"name":"only","values":{"f":{"e":"experiment","p2":"experiment","p1":"experiment",
        "o":"experiment"}}}]}]
        """

    @Test("the first that has a variable gives it, in the order of the documentation, and says where it comes from")
    func order() async throws {
        let names = ["o", "p1", "p2", "e", "r", "d"]
        func variables(_ from: Int, _ text: String) -> String {
            names[..<from].map { #""\#($0)":{"value":"\#(text)"}"# }.joined(separator: ",")
        }
        shop.publish(4, #"{"f":{"variables":{\#(variables(5, "remote"))}}}"#, experiments: Self.experiment)
        let first = Provider("first", Self.feature(nil, ["o": "first", "p1": "first"]))
        let second = Provider("second", Self.feature(nil, ["o": "second", "p1": "second", "p2": "second"]))
        let setup = try await shop.start(default: #"{"f":{"variables":{\#(variables(6, "default"))}}}"#) { options in
            options.features.providers = [first, second]
        }
        try setup.features.overrides.set("override", for: "f", variable: "o")
        let context = FeatureContext(userID: "u")
        let readings = (names + ["nobody"]).map { name in
            setup.features.detail("f", variable: name, default: "caller", for: context)
        }
        #expect(readings.map(\.value) == ["override", "first", "second", "experiment", "remote", "default", "caller"])
        #expect(
            readings.map(\.source) == [
                .override, .provider("first"), .provider("second"), .experiment(id: "e", variant: "only"),
                .remote(version: 4), .default, .fallback,
            ])
        for (name, reading) in zip(names, readings) {
            #expect(setup.features.value("f", variable: name, default: "caller", for: context) == reading.value)
            #expect(setup.features.explain("f", variable: name, for: context).source == reading.source)
        }
        // Without a context nobody can be in an experiment.
        #expect(setup.features.value("f", variable: "e", default: "caller") == "remote")
        #expect(
            setup.features.explain("f", variable: "o", for: context).summary
                == #""override" (override), over "first" (provider first), "second" (provider second), "#
                + #""experiment" (experiment e, variant only), "remote" (remote, version 4), "default" (default)"#)
        await setup.shutdown(timeout: .zero)
    }

    @Test("an override of false over a remote true turns a feature off; the highest with an opinion decides")
    func enabled() async throws {
        shop.publish(1, #"{"f":{"enabled":true}}"#)
        let provider = Provider("p", Self.feature(nil))
        let setup = try await shop.start(default: #"{"f":{"enabled":false},"g":{"enabled":true}}"#) { options in
            options.features.providers = [provider]
        }
        let features = setup.features
        #expect(features.isEnabled("f") && features.isEnabled("g"))
        try features.overrides.setEnabled(false, for: "f")
        #expect(!features.isEnabled("f"))
        provider.say(Self.feature(true))
        features.reload()
        #expect(!features.isEnabled("f"))
        try features.overrides.remove("f")
        #expect(features.isEnabled("f"))
        await setup.shutdown(timeout: .zero)
    }

    @Test("a provider that fails says what it said before, which is logged; one that changes is asked again")
    func failing() async throws {
        let (provider, log) = (Provider("p", Self.feature(nil, ["x": 1])), MemoryLog())
        let features = Features(options: Self.options(provider), log: log)
        provider.say(nil)
        features.reload()
        #expect(features.value("f", variable: "x", default: 0) == 1)
        #expect(log.contains("provider p: keeps its last features: "))
        provider.say(Self.feature(nil, ["x": 2]))
        var changes = features.changes(of: "f", variable: "x", as: Int.self).makeAsyncIterator()
        #expect(await changes.next()?.new == 1)
        provider.signal()
        #expect(await changes.next().map { [$0.old, $0.new] } == [1, 2])
        withExtendedLifetime(features) {}
    }

    @Test("a provider that cannot say anything at the start is a warning of the first update")
    func failingAtStart() async throws {
        let provider = Provider("p", [])
        provider.say(nil)
        let setup = try await shop.start(default: #"{"f":{"enabled":true}}"#) { $0.features.providers = [provider] }
        #expect(setup.features.isEnabled("f"))
        #expect(shop.service.updates[0].warnings.contains { $0.place == "provider p" })
        await setup.shutdown(timeout: .zero)
    }

    @Test("a newer document replaces the features whole, and one without features clears them; the default shows again")
    func cleared() async throws {
        shop.publish(1, #"{"f":{"enabled":true,"variables":{"x":{"value":1},"y":{"value":1}}}}"#)
        let setup = try await shop.start(default: #"{"f":{"variables":{"x":{"value":0}}}}"#)
        #expect(setup.features.value("f", variable: "y", default: -1) == 1)
        await shop.apply(2, #"{"f":{"variables":{"x":{"value":2}}}}"#, to: setup)
        #expect(setup.features.value("f", variable: "x", default: -1) == 2)
        #expect(setup.features.value("f", variable: "y", default: -1) == -1)
        #expect(!setup.features.isEnabled("f"))
        await shop.apply(3, "{}", to: setup)
        #expect(setup.features.value("f", variable: "x", default: -1) == 0)
        await setup.shutdown(timeout: .zero)
    }

    @Test("features are there in the first callback, from the cache too")
    func firstCallback() async throws {
        shop.publish(1, #"{"f":{"variables":{"x":{"value":1}}}}"#)
        try await shop.start().shutdown(timeout: .zero)
        let seen = Locked<[Int]>([])
        let setup = try shop.service.start(onSuccess: { update in
            let value = update.features.value("f", variable: "x", default: -1)
            seen.withLock { $0.append(value) }
        })
        #expect(seen.withLock { $0 } == [1])
        await shop.service.settled()
        await setup.shutdown(timeout: .zero)
    }

    @Test("for a context, a variable that only an experiment names is part of its feature, and the feature is there")
    func onlyInExperiment() throws {
        struct Whole: Decodable { let only: Int }
        let features = try Features(
            #"{"f":{"variables":{"x":{"value":0}}}}"#,
            experiments: #"[{"id":"e","variants":[{"name":"v","values":{"f":{"only":1},"g":{"only":2}}}]}]"#)
        let context = FeatureContext(userID: "u")
        #expect(features.values(of: "f", for: context)?.variables == ["x": 0, "only": 1])
        #expect(features.values(of: "g", for: context)?.variables == ["only": 2])
        #expect(try features.feature("f", as: Whole.self, for: context).only == 1)
        #expect(try features.feature("g", as: Whole.self, for: context).only == 2)
        #expect(features.values(of: "f")?.variables == ["x": 0])
        // Without a unit the experiment gives nobody anything.
        #expect(features.values(of: "g") == nil)
        #expect(features.values(of: "g", for: FeatureContext()) == nil)
        #expect(throws: FeatureError.self) { try features.feature("g", as: Whole.self, for: FeatureContext()) }
    }

    @Test("a snapshot keeps the variants that were forced when it was taken")
    func snapshotOfForced() throws {
        let variants = (1...2).map { number in
            ExperimentVariant(name: "\(number)", weight: 2 - Double(number), values: ["f": ["x": .int(number)]])
        }
        let features = Features(experiments: [Experiment(id: "e", variants: variants)])
        let (snapshot, context) = (features.snapshot, FeatureContext(userID: "u"))
        try features.overrides.force("2", of: "e")
        #expect(snapshot.value("f", variable: "x", default: 0, for: context) == 1)
        #expect(features.value("f", variable: "x", default: 0, for: context) == 2)
    }

    @Test("of two features of one name that a provider gives, the later counts whole")
    func twice() {
        let twice = Self.feature(true, ["x": 1, "y": 1]) + Self.feature(nil, ["x": 2])
        let features = Features(options: Self.options(Provider("p", twice)))
        #expect(features.values(of: "f") == FeatureValues(isEnabled: nil, variables: ["x": 2]))
        #expect(features.value("f", variable: "y", default: 0) == 0)
        #expect(!features.isEnabled("f"))
    }
}
