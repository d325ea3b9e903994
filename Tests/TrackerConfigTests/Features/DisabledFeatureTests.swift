import TestSupport
import Testing
import TrackerConfig
import TrackerFeatures
import TrackerTesting

/// Features that a source disables.
@Suite("Disabled features", .endsWhenItHangs)
struct DisabledFeatureTests {
    private static let disabled = """
        {"f":{"disabled":true,"enabled":true,"variables":{"limit":{"value":3},"key":{"value":"S","encrypted":true}},
        "rules":[{"id":"all","enabled":true,"values":{"limit":9,"ruled":1}}]},
        "waits":{"enabled":false,"rules":[{"id":"w","enabled":true,"prerequisites":[{"feature":"f"}]}]},
        "asks":{"enabled":false,"rules":[
        {"id":"a","enabled":true,"prerequisites":[{"feature":"f","condition":{"limit":{"$not":{"$gt":100}}}}]}]},
        "gated":{"variables":{"v":{"value":1}},"rules":[
        {"id":"g","prerequisites":[{"feature":"f","gate":true}]}]}}
        """
    private static let experiment = #"[{"id":"e","variants":[{"name":"only","values":{"f":{"limit":7,"drawn":1}}}]}]"#

    private let shop = FeatureService()
    private let context = FeatureContext(units: ["userId": "u"])

    private func start(_ configure: (inout SetupOptions) -> Void = { _ in }) async throws -> Setup {
        shop.publish(1, Self.disabled, experiments: Self.experiment)
        return try await shop.start(
            default: #"{"f":{"enabled":true,"variables":{"limit":{"value":1},"below":{"value":"low"}}}}"#, configure)
    }

    @Test("gives no value, neither of its source, nor of its rules, its experiments, or a lower source")
    func noValue() async throws {
        let setup = try await start()
        let features = setup.features
        for variable in ["limit", "ruled", "drawn", "below"] {
            #expect(features.value("f", variable: variable, default: -1) == -1, "\(variable)")
            #expect(features.value("f", variable: variable, default: -1, for: context) == -1, "\(variable)")
            let detail = features.detail("f", variable: variable, default: -1, for: context)
            #expect((detail.value, detail.reason, detail.source) == (-1, .disabled, .fallback), "\(variable)")
            #expect(detail.error?.description == "f.\(variable): the feature is disabled")
            let explanation = features.explain("f", variable: variable, for: context)
            #expect((explanation.value, explanation.reason) == (nil, .disabled), "\(explanation)")
            #expect(Variable(features, "f", variable: variable, default: -1).value(for: context) == -1)
        }
        #expect(!features.isEnabled("f"))
        #expect(features.isEnabled("f", default: true))
        #expect(features.isEnabled("f", default: true, for: context))
        #expect(features.detail("f", default: true, for: context).reason == .disabled)
        #expect(features.values(of: "f", for: context) == FeatureValues(isEnabled: nil, variables: [:]))
        #expect(throws: FeatureError.self) { try features.require("f", variable: "limit", as: Int.self) }
        #expect(setup.experiments.counters.exposuresTracked == 0)
        // Its names are known, so that no read of them is a mistake.
        #expect(setup.status.issues.isEmpty)
        await setup.shutdown(timeout: .zero)
    }

    @Test("overrides and providers above its source count nevertheless")
    func above() async throws {
        let provider = FeaturePriorityTests.Provider(
            "p", [FeatureDefinition(name: "f", variables: [VariableDefinition(name: "limit", value: 5)])])
        let setup = try await start { $0.features.providers = [provider] }
        let features = setup.features
        #expect(features.value("f", variable: "limit", default: -1, for: context) == 5)
        #expect(features.value("f", variable: "below", default: "-", for: context) == "-")
        try features.overrides.setEnabled(true, for: "f")
        try features.overrides.set("over", for: "f", variable: "below")
        let enabled = features.detail("f", for: context)
        #expect((enabled.value, enabled.source) == (true, .override))
        #expect(features.value("f", variable: "below", default: "-", for: context) == "over")
        #expect(features.isEnabled("waits", for: context))
        await setup.shutdown(timeout: .zero)
    }

    @Test("a prerequisite on it is not met, unless an override gives the variable that it asks for; a gate turns off")
    func prerequisites() async throws {
        let setup = try await start()
        #expect(!setup.features.isEnabled("waits", for: context))
        #expect(!setup.features.isEnabled("asks", for: context))
        #expect(setup.features.value("gated", variable: "v", default: -1, for: context) == -1)
        try setup.features.overrides.set(5, for: "f", variable: "limit")
        #expect(setup.features.isEnabled("asks"))
        await setup.shutdown(timeout: .zero)
    }

    @Test("its reads are counted with the reason, and record no exposure")
    func counted() async throws {
        let setup = try await start { $0.experiments.exposureNamespaces = ["a"] }
        _ = setup.features.value("f", variable: "limit", default: 0, for: context)
        _ = setup.features.isEnabled("f", for: context)
        let usage = setup.features.usage.first { $0.feature == "f" }
        #expect(usage?.evaluations == [.disabled: 2])
        #expect(setup.experiments.counters.exposuresTracked == 0)
        await setup.shutdown(timeout: .zero)
    }

    @Test("listeners are told when it is disabled and when it is not any more")
    func changes() async throws {
        shop.publish(1, #"{"f":{"enabled":true,"variables":{"limit":{"value":3}}}}"#)
        let setup = try await shop.start()
        let told = Locked<[FeatureValues?]>([])
        setup.features.onChange(of: "f") { change in told.withLock { $0.append(change.new) } }
        for (version, disabled) in [(2, true), (3, false)] {
            shop.publish(version, #"{"f":{"disabled":\#(disabled),"enabled":true,"variables":{"limit":{"value":3}}}}"#)
            shop.service.time.advance(by: .seconds(1))
            await setup.refresh()
        }
        let on = FeatureValues(isEnabled: true, variables: ["limit": 3])
        #expect(told.withLock { $0 } == [on, FeatureValues(isEnabled: nil, variables: [:]), on])
        await setup.shutdown(timeout: .zero)
    }

    @Test("a document that requires the ability is taken; another type than a boolean rejects it")
    func decoding() throws {
        let text = DocumentText.document(1, more: #","requires":["disabled"],"features":{"f":{"disabled":true}}"#)
        #expect(try Document(Array(text.utf8)).warnings.isEmpty)
        let wrong = DocumentText.document(1, more: #","features":{"f":{"disabled":"yes"}}"#)
        #expect { try Document(Array(wrong.utf8)) } throws: {
            "\($0)".contains("features.f.disabled: expected a boolean")
        }
    }
}
