import TestSupport
import Testing
import TrackerConfig
import TrackerFeatures
import TrackerGrowthBook

@Suite("The payload of GrowthBook", .endsWhenItHangs)
struct GrowthBookPayloadTests {
    private static func payload(
        _ text: String, _ configure: (inout GrowthBookOptions) -> Void = { _ in }
    ) throws -> GrowthBookPayload {
        var options = GrowthBookOptions()
        configure(&options)
        return try GrowthBookPayload(Array(text.utf8), options: options)
    }

    /// A feature `f` with these rules.
    private static func rules(
        _ rules: String, _ configure: (inout GrowthBookOptions) -> Void = { _ in }
    ) throws -> (rules: [FeatureRule], notes: [String]) {
        let payload = try payload(#"{"features":{"f":{"defaultValue":1,"rules":[\#(rules)]}}}"#, configure)
        return (payload.features[0].rules, payload.warnings.map { "\($0.place): \($0.reason)" })
    }

    private static func experiment(_ rule: String) throws -> Experiment {
        try #require(rules(rule).rules[0].experiment)
    }

    @Test(
        "a feature is enabled if its value is truthy, and its value is a variable",
        arguments: [
            ("null", false), ("false", false), ("0.0", false), (#""""#, false), ("-0.5", true), (#""off""#, true),
            ("[]", true),
        ])
    func values(text: String, isEnabled: Bool) throws {
        let feature = try Self.payload(#"{"features":{"f":{"defaultValue":\#(text)}}}"#).features[0]
        #expect(feature.name == "f")
        #expect(feature.isEnabled == isEnabled)
        let value = try JSONReader.read(Array(text.utf8)).value
        #expect(feature.variables == (value == .null ? [] : [VariableDefinition(name: "value", value: value)]))
    }

    @Test("the members of an object are variables too, but one that is called value")
    func members() throws {
        let payload = try Self.payload(
            #"{"features":{"f":{"defaultValue":{"limit":3,"gone":null,"value":7},"rules":[{"force":{"limit":4}}]},"g":{}}}"#
        )
        let whole: JSONValue = ["limit": 3, "gone": nil, "value": 7]
        #expect(
            payload.features[0].variables == [
                VariableDefinition(name: "value", value: whole), VariableDefinition(name: "limit", value: 3),
            ])
        #expect(payload.features[0].rules[0].values == ["value": ["limit": 4], "limit": 4])
        #expect(payload.features[1] == FeatureDefinition(name: "g", isEnabled: false))
        #expect(
            payload.warnings.map { "\($0.place): \($0.reason)" } == [
                "features.f.defaultValue.value: not a variable of its own, because the variable 'value' holds the whole object"
            ])
    }

    @Test("a rule that forces a value has GrowthBook's defaults, and its share of the units needs the unit")
    func forced() throws {
        let rules = try Self.rules(
            """
            {"force": 0}, {"id": "a", "force": "x", "coverage": 0.2},
            {"force": true, "coverage": 1, "hashAttribute": "deviceId", "seed": "s", "hashVersion": 2},
            {"force": true, "coverage": 0.1, "range": [0.25, 0.5], "hashAttribute": "", "seed": ""},
            {"force": null}, {}
            """
        ).rules
        #expect(rules[0] == FeatureRule(id: "rule-1", isEnabled: false, values: ["value": 0]))
        let share = RuleBucket(unit: "id", seed: "f", hashVersion: .v1, range: 0..<0.2.nextUp)
        #expect(rules[1] == FeatureRule(id: "a", bucket: share, isEnabled: true, values: ["value": "x"]))
        #expect(rules[2].bucket == RuleBucket(unit: "deviceId", seed: "s", hashVersion: .v2, range: 0..<1.0.nextUp))
        #expect(rules[3].bucket == RuleBucket(unit: "id", seed: "f", hashVersion: .v1, range: 0.25..<0.5))
        #expect(rules[4] == FeatureRule(id: "rule-5", isEnabled: false, values: ["value": nil]))
        #expect(rules[5] == FeatureRule(id: "rule-6"))
    }

    @Test("a coverage of 0 is no unit, and one above 1 is all")
    func coverage() throws {
        let rules = try Self.rules(#"{"force":1,"coverage":-1},{"force":1,"coverage":7}"#).rules
        let counts = rules.map { rule in (0..<20).count { rule.bucket?.contains("u-\($0)") == true } }
        #expect(counts == [0, 20])
    }

    @Test("filters hash the id unless they name another attribute, and take precedence over a namespace")
    func filters() throws {
        let filters =
            #""filters":[{"seed":"s","ranges":[[0,0.1],[0.2,0.4]]},{"seed":"t","attribute":"org","hashVersion":1,"ranges":[]}]"#
        let rules = try Self.rules(
            """
            {"force":1,\(filters),"namespace":["n",0,0.5]}, {"force":1,"namespace":["n",0.25,0.5]},
            {"variations":[0,1],\(filters),"namespace":["n",0,0.5]},
            {"variations":[0,1],"hashAttribute":"org","namespace":["n",0,0.5]},
            {"force":1,"hashAttribute":"org","coverage":0.5,"namespace":["n",0.25,0.5]}
            """
        ).rules
        let expected = [
            BucketFilter(unit: "id", seed: "s", ranges: [0..<0.1, 0.2..<0.4]),
            BucketFilter(unit: "org", seed: "t", hashVersion: .v1, ranges: []),
        ]
        #expect(rules[0].targeting.filters == expected)
        // A namespace hashes the unit of its rule; without a share the filter has to name it.
        #expect(rules[1].targeting.filters == [.namespace("n", 0.25, 0.5).of("id")])
        #expect(rules[4].targeting.filters == [.namespace("n", 0.25, 0.5)])
        #expect(rules[2].targeting.filters == expected)
        #expect(rules[2].experiment?.targeting.filters == expected)
        // GrowthBook checks the namespace of an experiment only if the unit has no stored variant.
        #expect(rules[3].targeting.filters.isEmpty)
        #expect(rules[3].experiment?.targeting.filters == [.namespace("n", 0, 0.5)])
    }

    @Test("conditions belong to the experiment, gates to the rule, and other prerequisites to both")
    func targeting() throws {
        let parents =
            #""parentConditions":[{"id":"p","condition":{"value":true},"gate":true},{"id":"q","condition":{"value":1}}]"#
        let rules = try Self.rules(
            """
            {"force":1,"condition":{"plan":"pro"},\(parents)}, {"variations":[0,1],"condition":{"plan":"pro"},\(parents)},
            {\(parents)}
            """
        ).rules
        let prerequisites = [
            Prerequisite(feature: "p", condition: Condition(["value": true]), isGate: true),
            Prerequisite(feature: "q", condition: Condition(["value": 1])),
        ]
        let plan = Condition(["plan": "pro"])
        #expect(rules[0].targeting == Targeting(condition: plan, prerequisites: prerequisites))
        #expect(rules[1].targeting == Targeting(prerequisites: prerequisites))
        let asked = prerequisites.map { Prerequisite(feature: $0.feature, condition: $0.condition) }
        #expect(rules[1].experiment?.targeting == Targeting(condition: plan, prerequisites: asked))
        #expect(rules[2] == FeatureRule(id: "rule-3", targeting: Targeting(prerequisites: prerequisites)))
    }

    @Test("an experiment has GrowthBook's defaults")
    func plainExperiment() throws {
        let experiment = try Self.experiment(#"{"variations":["a",null,{"x":1}]}"#)
        #expect((experiment.id, experiment.seed, experiment.unit) == ("f", "f", "id"))
        #expect(experiment.hashVersion == .v1)
        #expect(experiment.variants.map(\.name) == ["0", "1", "2"])
        #expect(experiment.variants.map(\.weight) == [nil, nil, nil])
        #expect(experiment.variants.map { $0.enabledFeatures[exactly: "f"] } == [true, false, true])
        let values: [JSONObject] = [["value": "a"], ["value": nil], ["value": ["x": 1], "x": 1]]
        #expect(experiment.variants.map { $0.values["f"] } == values)
        #expect(experiment.isUsable && experiment.isEnabled && !experiment.isSticky)
    }

    @Test("weights that do not fit are equal ones, as in GrowthBook", arguments: ["[0.5,0.3]", "[1,1,1]", "[]"])
    func weights(text: String) throws {
        let (rules, notes) = try Self.rules(#"{"variations":[1,2,3],"weights":\#(text)}"#)
        #expect(rules[0].experiment?.variants.map(\.weight) == [nil, nil, nil])
        let reason = "expected one for each variation, and a sum of 1; equal weights are used, as by GrowthBook"
        #expect(notes == ["features.f.rules[0].weights: \(reason)"])
    }

    @Test("weights whose sum is nearly 1 are used as they are, as in GrowthBook")
    func roughWeights() throws {
        let rough = [([0.5, 0.49], [0..<0.25, 0.5..<0.5 + 0.5 * 0.49]), ([1, 0.01], [0..<0.5, 1..<1 + 0.5 * 0.01])]
        for (weights, ranges) in rough as [([Double], [Range<Double>])] {
            let experiment = try Self.experiment(#"{"variations":[1,2],"coverage":0.5,"weights":\#(weights)}"#)
            #expect(experiment.ranges == ranges)
        }
    }

    @Test("experiments are sticky as the option and the payload say", arguments: [true, false])
    func stickiness(usesStickyBuckets: Bool) throws {
        let rules = try Self.rules(
            #"{"variations":[1,2]}, {"variations":[1,2],"bucketVersion":1,"disableStickyBucketing":true}"#
        ) { $0.usesStickyBuckets = usesStickyBuckets }.rules
        #expect(rules.map { $0.experiment?.isSticky } == [usesStickyBuckets, false])
        #expect(rules.allSatisfy { $0.experiment?.keepsVariantOutsideTargeting == true })
    }

    @Test("one variation is no experiment, and keys of variations differ")
    func variations() throws {
        let (rules, notes) = try Self.rules(
            #"{"variations":[1]},{"variations":[1,2],"meta":[{"key":"1"},{}]},{"variations":[]}"#)
        #expect(rules.map { $0.experiment?.isUsable } == [false, false, nil])
        #expect(
            notes == [
                "features.f.rules[0].variations: fewer than two variations, so it matches no context",
                "features.f.rules[1].meta: two variations have one key, so it matches no context",
            ])
    }

    @Test(
        "a rule whose audience this version cannot read matches no context",
        arguments: [
            (#""coverage":"0.5""#, "coverage: expected a number, found a string"),
            (#""condition":[]"#, "condition: expected an object, found a list"),
            (#""filters":[{"ranges":[]}]"#, "filters[0]: required key 'seed' is missing"),
            (#""filters":[{"seed":"s","ranges":[[0]]}]"#, "filters[0].ranges[0]: expected two numbers, found 1"),
            (#""namespace":["n",0]"#, "namespace: expected an id and two numbers, found 2 values"),
            (#""parentConditions":[{"id":"p"}]"#, "parentConditions[0]: required key 'condition' is missing"),
            (#""hashAttribute":7"#, "hashAttribute: expected a string, found a number"),
            (#""weights":[-1,2]"#, "weights[0]: expected 0 or more, found -1.0"),
            (#""type":"contextual-bandit""#, "type: the type 'contextual-bandit' is not supported"),
            (#""contextualBanditRef":"b""#, "contextualBanditRef: contextual bandits are not supported"),
            (#""url":"^/x""#, "url: URL targeting and redirects are not supported"),
        ])
    func failsClosed(member: String, note: String) throws {
        for action in [#""force":1"#, #""variations":[1,2]"#] {
            let (rules, notes) = try Self.rules(#"{\#(action),\#(member)},{"force":2}"#)
            #expect(rules.map(\.isUsable) == [false, true])
            #expect(rules[0].experiment?.isUsable != true)
            #expect(notes == ["features.f.rules[0].\(note); it matches no context"])
        }
    }

    @Test("what is for display or null says nothing, a bandit is an experiment, and gates of an unusable rule are kept")
    func harmless() throws {
        let (rules, notes) = try Self.rules(
            """
            {"force":1,"foo":null,"coverage":null,"name":"N","phase":"0","tracks":[{}],"banditVersion":9,"type":"standard"},
            {"type":"multi-armed-bandit","banditVersion":2,"variations":[1,2],"weights":[0.9,0.1]},
            {"parentConditions":[{"id":"p","condition":{},"gate":true}],"coverage":"x"}
            """)
        #expect(rules[0] == FeatureRule(id: "rule-1", isEnabled: true, values: ["value": 1]))
        #expect(rules[1].isUsable && rules[1].experiment?.variants.map(\.weight) == [0.9, 0.1])
        #expect(rules[2].targeting.prerequisites.map(\.isGate) == [true])
        #expect(notes.count == 1)
    }

    @Test("keys that this version does not know are ignored, with one warning for all of them")
    func unknownKeys() throws {
        let (rules, notes) = try Self.rules(
            """
            {"force":1,"metadata":{"projects":["p"]},"filters":[{"seed":"s","ranges":[],"x":1}]}, {"variations":[1,2],"foo":[]},
            {"force":1,"parentConditions":[{"id":"p","condition":{},"x":1}]}, {"variations":[1,2],"meta":[{"x":1}]},
            {"force":1,"id":7}
            """)
        #expect(rules.allSatisfy { $0.isUsable && $0.experiment?.isUsable != false })
        #expect(
            notes == [
                "features.f.rules[0].metadata: this version does not know the key, and ignores it; 5 keys in all, such as "
                    + "features.f.rules[0].metadata, features.f.rules[0].filters[0].x, features.f.rules[1].foo"
            ])
        let one = try Self.payload(#"{"features":{"f":{"holdout":1}}}"#).warnings
        #expect(
            one.map(\.description) == [
                "features.f.holdout: this version does not know the key, and ignores it (line 1, column 19)"
            ])
    }

    @Test("an unknown hash matches no unit, and is needed only for a share")
    func hashVersions() throws {
        let (rules, notes) = try Self.rules(
            #"{"force":1,"coverage":1,"hashVersion":99},{"force":1,"coverage":1,"hashVersion":0},{"variations":[1,2],"hashVersion":3}"#
        )
        #expect(rules.map(\.isUsable) == [true, true, true])
        #expect(rules[0].bucket?.contains("u-1") == false)
        #expect(rules[1].bucket?.hashVersion == .v1)
        #expect(rules[2].experiment?.hashVersion == nil)
        #expect(notes.count == 2)
    }

    @Test("two rules with one id have different ones afterwards")
    func ids() throws {
        let (rules, notes) = try Self.rules(#"{"id":"a","force":1},{"id":"a","force":2},{"id":"","force":3}"#)
        #expect(rules.map(\.id) == ["a", "a-2", "rule-3"])
        #expect(notes == ["features.f.rules[1].id: 'a' is the id of an earlier rule too"])
    }

    @Test("experiments of the visual editor are left out, which is said once")
    func automatic() throws {
        let payload = try Self.payload(#"{"features":{},"experiments":[{"key":"a"},{"key":"b"}],"dateUpdated":"2026"}"#)
        #expect(payload.features.isEmpty)
        #expect(
            payload.warnings.map { "\($0.place): \($0.reason)" } == [
                "experiments: experiments of the visual editor, URL redirects and their like (2) are left out"
            ])
    }

    @Test(
        "another form is an error with its place",
        arguments: [
            (#"{"status":400}"#, "required key 'features' is missing (line 1, column 1)"),
            (#"{"features":{"f":1}}"#, "features.f: expected an object, found a number (line 1, column 18)"),
            (
                #"{"features":{"f":{"rules":[1]}}}"#,
                "features.f.rules[0]: expected an object, found a number (line 1, column 28)"
            ),
            (
                #"{"features":{},"savedGroups":{"g":1}}"#,
                "savedGroups.g: expected a list, found a number (line 1, column 35)"
            ),
            ("<html>", "this is XML or HTML, not JSON (line 1, column 1)"),
        ])
    func faults(text: String, sentence: String) {
        let error = #expect(throws: ConfigurationError.self) { try Self.payload(text) }
        #expect(error?.description == sentence)
    }

    @Test("encrypted parts are decrypted by the closure")
    func encrypted() throws {
        let plain = [
            "iv.features": #"{"f":{"defaultValue":1,"rules":[{"force":2,"foo":1}]}}"#, "iv.groups": #"{"g":["u-1",7]}"#,
        ]
        let text = #"{"features":{},"encryptedFeatures":"iv.features","encryptedSavedGroups":"iv.groups"}"#
        let payload = try Self.payload(text) { $0.decrypt = { try #require(plain[$0]) } }
        #expect(payload.features.map(\.name) == ["f"])
        #expect(payload.savedGroups == ["g": ["u-1", 7]])
        #expect(payload.warnings.count == 1)
        for decrypt: (@Sendable (String) throws -> String)? in [nil, { _ in throw CancellationError() }] {
            let error = #expect(throws: ConfigurationError.self) { try Self.payload(text) { $0.decrypt = decrypt } }
            #expect(error?.code == .undecryptable)
        }
    }
}
