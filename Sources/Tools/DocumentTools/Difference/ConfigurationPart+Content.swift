import TrackerConfig
import TrackerFeatures

extension ConfigurationPart {
    /// Creates the part of a tracker: its settings with their layers.
    /// - Parameters:
    ///   - tracker: The tracker.
    ///   - differing: The settings whose effective value has changed, even if it is hidden as a secret.
    init(_ tracker: ResolvedConfiguration.ResolvedTracker, differing: Set<String> = []) {
        self.init(tracker.namespace)
        let explanations = tracker.layers.explanations.map(\.alone)
        let endpoint = explanations.first { $0.field == "network.endpoint" }?.value
        summary = endpoint.map { " at \($0)" } ?? ""
        facts = explanations.map { setting in
            var fact = Fact(
                setting.field, [setting.value ?? .null, .bool(differing.contains(setting.field))],
                setting.isExecutableName ? "the executable's name" : setting.value?.description ?? "unset")
            fact.layer = setting.source == .builtIn ? "built in" : setting.source.rawValue
            return fact
        }
    }

    /// Creates the part of a feature: its state, variables and rules.
    init(_ feature: FeatureDefinition, isSecret: (VariableKey) -> Bool) {
        self.init(feature.name)
        if let isEnabled = feature.isEnabled { facts.append(Fact("enabled", .bool(isEnabled))) }
        if feature.isDisabled { facts.append(Fact("disabled", true)) }
        facts += feature.metadata.members.map { Fact("metadata \($0.name)", $0.value) }
        for variable in feature.variables {
            let name = "variable \(JSONValue.string(variable.name))"
            facts.append(Fact(name, variable.value, isSecret: isSecret(VariableKey(feature.name, variable.name))))
            if variable.isEncrypted { facts.append(Fact("\(name) encrypted", true)) }
            let texts = [
                ("title", variable.title), ("description", variable.description), ("group", variable.group),
                ("generatedName", variable.generatedName),
            ]
            facts += texts.compactMap { key, text in text.map { Fact("\(name) \(key)", .string($0)) } }
        }
        var counts: [ExactText: Int] = [:]
        parts = feature.rules.map { rule in
            counts[ExactText(rule.id), default: 0] += 1
            let count = counts[ExactText(rule.id)] ?? 1
            return ConfigurationPart(rule, of: feature.name, count == 1 ? rule.id : "\(rule.id) (\(count))", isSecret)
        }
    }

    private init(_ rule: FeatureRule, of feature: String, _ id: String, _ isSecret: (VariableKey) -> Bool) {
        self.init(id, kind: "rule ")
        let json = rule.json(of: feature, isSecret: isSecret)
        summary = ": \(JSONValue.object(json))"
        facts = json.members.filter { $0.name != "id" }.flatMap { name, value -> [Fact] in
            switch name {
            case "condition", "prerequisites": [Fact(rule.targeting, name, value)]
            case "values":
                rule.values.members.map { name, value in
                    Fact("values.\(name)", value, isSecret: isSecret(VariableKey(feature, name)))
                }
            default: [Fact(name, value)]
            }
        }
    }

    /// Creates the part of an experiment: its settings and those of its variants.
    init(_ experiment: Experiment, isSecret: (VariableKey) -> Bool) {
        self.init(experiment.id)
        var members: [JSONObject.Member] = [
            ("unit", .string(experiment.unit)), ("seed", .string(experiment.seed)),
            ("hashVersion", experiment.hashVersion.json), ("coverage", JSONValue(shortest: experiment.coverage)),
            ("sticky", .bool(experiment.isSticky)),
        ]
        if let countries = experiment.countries {
            members.append(("countries", .array(countries.map(JSONValue.string))))
        }
        if let languages = experiment.languages {
            members.append(("languages", .array(languages.map(JSONValue.string))))
        }
        members += experiment.targeting.members + experiment.exceptions
        members.append(("variants", .array(experiment.variants.map { .string($0.name) })))
        facts = members.map { name, value in
            ["condition", "prerequisites"].contains(name)
                ? Fact(experiment.targeting, name, value) : Fact(name, value)
        }
        for variant in experiment.variants {
            let place = "variants.\(variant.name)"
            if let weight = variant.weight { facts.append(Fact("\(place).weight", JSONValue(shortest: weight))) }
            for (feature, values) in variant.overrides.sorted(by: { $0.key < $1.key }) {
                facts += values.members.map { name, value in
                    Fact(
                        "\(place).values.\(feature.text).\(name)", value,
                        isSecret: isSecret(VariableKey(feature.text, name)))
                }
            }
            for (feature, isEnabled) in variant.enabledFeatures.sorted(by: { $0.key < $1.key }) {
                facts.append(Fact("\(place).enabled.\(feature.text)", .bool(isEnabled)))
            }
            if variant.isPassthrough { facts.append(Fact("\(place).passthrough", true)) }
        }
    }

    /// Creates the part of a rollout.
    init(_ rollout: Rollout) {
        self.init("rollout")
        facts = [Fact("percent", JSONValue(shortest: rollout.percent))]
        if let seed = rollout.seed { facts.append(Fact("seed", .string(seed))) }
        facts.append(Fact("bakeSeconds", JSONValue(shortest: rollout.bakeTime / .seconds(1))))
        facts.append(Fact("maxFailureRate", JSONValue(shortest: rollout.maxFailureRate)))
    }
}

extension ConfigurationPart.Fact {
    /// Creates the fact of a targeting's condition or prerequisites; its value includes the segments that they name.
    fileprivate init(_ targeting: Targeting, _ name: String, _ value: JSONValue) {
        self.init(
            name,
            name == "condition" ? AnyHashable(targeting.condition) : AnyHashable(targeting.prerequisites),
            "\(value)", otherwise: "a segment in it has other members")
    }
}
