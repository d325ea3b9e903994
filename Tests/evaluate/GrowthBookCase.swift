import TrackerFeatures
import TrackerGrowthBook

/// The SDK with the features, experiments and attributes of a case of GrowthBook's.
struct GrowthBookCase {
    typealias Fault = EvaluationCase.Fault

    private let payload: GrowthBookPayload
    /// The payload's features as the case has them.
    private let written: JSONValue
    private let experiments: [Experiment]
    private let features: Features
    private let context: FeatureContext
    private let store: GrowthBookCaseDocuments?

    /// Prepares a case.
    /// - Parameters:
    ///   - context: The context of GrowthBook's SDK: features, saved groups, attributes, forced variations.
    ///   - forcesVariations: Whether the context's forced variations count; true by default.
    ///   - documents: The documents of the sticky bucket service; nil, the default, for no such service.
    /// - Throws: A fault if the case cannot be taken.
    init(_ context: JSONObject, forcesVariations: Bool = true, documents: [JSONValue]? = nil) throws(Fault) {
        if context["contextualBandits"] != nil {
            throw Fault(reason: "contextual bandits are not supported")
        }
        var options = GrowthBookOptions()
        options.usesStickyBuckets = documents != nil
        written = context["features"] ?? [:]
        let json: JSONObject = ["features": written, "savedGroups": context["savedGroups"] ?? [:]]
        do throws(ConfigurationError) {
            payload = try GrowthBookPayload(Array("\(JSONValue.object(json))".utf8), options: options)
            let experiments = payload.features.flatMap { $0.rules.compactMap(\.experiment) }
            var ids: Set<ExactText> = []
            self.experiments = experiments.filter { ids.insert(ExactText($0.id)).inserted }
        } catch {
            throw Fault(reason: "\(error)")
        }
        self.context = FeatureContext(attributes: context["attributes"]?.object ?? JSONObject())
        let store = documents.map(GrowthBookCaseDocuments.init)
        self.store = store
        features = Features(
            FeatureOptions(), defaultFeatures: payload.features, defaultExperiments: experiments,
            log: Log(nil, level: .off)
        ) { parts in parts.options.assignmentStore = store }
        _ = features.replaceDocument(by: nil)
        features.store.listeners.release()
        guard forcesVariations else { return }
        for (key, index) in context["forcedVariations"]?.object?.members ?? [] {
            guard let experiment = experiments.first(where: { $0.id.isExactly(key) }),
                let index = index.int,
                experiment.variants.indices.contains(index)
            else { continue }
            do throws(FeatureError) {
                try features.overrides.force(experiment.variants[index].name, of: key)
            } catch {
                throw Fault(reason: "\(error)")
            }
        }
    }

    /// What an experiment gives, by its id.
    func assignment(of key: String) -> ExperimentAssignment {
        features.experiments.variant(of: key, default: "", for: context)
    }

    /// The index of a variant.
    func index(of variant: String, in key: String) -> Int? {
        experiments.first { $0.id.isExactly(key) }?.variants.firstIndex { $0.name.isExactly(variant) }
    }

    /// The documents that are stored, by attribute and value.
    func documents() async -> JSONObject {
        _ = await features.experiments.flush(timeout: .seconds(10))
        return store?.json ?? JSONObject()
    }

    /// What a feature is for the context.
    func result(of key: String) -> GrowthBookCaseResult {
        guard let feature = payload.features.first(where: { $0.name.isExactly(key) }) else {
            return GrowthBookCaseResult(source: "unknownFeature")
        }
        let variable = JSONValue.growthBookVariable
        let enabled = features.detail(key, for: context)
        if enabled.reason == .disabled {
            return GrowthBookCaseResult(source: isCyclic(key) ? "cyclicPrerequisite" : "prerequisite")
        }
        let read = features.detail(key, variable: variable, default: JSONValue.null, for: context)
        // A null has no variable, which leaves the value to a later rule.
        var result = GrowthBookCaseResult(value: read.rule == enabled.rule ? read.value : .null)
        guard let rule = enabled.rule,
            let index = feature.rules.firstIndex(where: { $0.id.isExactly(rule) }),
            let written = written[key]?["rules"]?.array?[index].object
        else { return result }
        result.ruleID = written["id"]?.string ?? ""
        guard let experiment = feature.rules[index].experiment, let variant = enabled.variant,
            let variation = experiment.variants.firstIndex(where: { $0.name.isExactly(variant) })
        else {
            result.source = "force"
            return result
        }
        result.source = "experiment"
        result.experiment = GrowthBookCaseResult.experiment(written, key: experiment.id)
        result.experimentResult = experimentResult(
            of: key, experiment, variation, written, isStored: enabled.reason == .cached,
            value: result.value)
        return result
    }

    private func experimentResult(
        of feature: String, _ experiment: Experiment, _ variation: Int, _ written: JSONObject,
        isStored: Bool,
        value: JSONValue
    ) -> JSONObject {
        let isForced = assignment(of: experiment.id).reason == .forced
        let units =
            [experiment.unit] + (experiment.isSticky ? [experiment.fallbackUnit].compactMap(\.self) : [])
        let unit = units.lazy.compactMap { context.unit($0) }.first
        let meta = written["meta"]?.array ?? []
        let own = meta.indices.contains(variation) ? meta[variation] : .null
        let fraction = unit.flatMap { unit in
            experiment.hashVersion.map {
                Bucketing.fraction(of: unit.id, seed: experiment.seed, version: $0)
            }
        }
        return JSONObject(present: [
            ("key", .string(experiment.variants[variation].name)), ("featureId", .string(feature)),
            ("inExperiment", true), ("hashUsed", .bool(!isForced)), ("variationId", .int(variation)),
            ("value", value),
            ("hashAttribute", .string(unit?.name ?? experiment.unit)),
            ("hashValue", unit.map { context.attributes[$0.name] ?? .string($0.id) } ?? ""),
            ("stickyBucketUsed", .bool(isStored)), ("name", own["name"]),
            ("bucket", isForced ? nil : fraction.map { JSONValue(shortest: $0) }),
            ("passthrough", own["passthrough"]),
        ])
    }

    /// Whether the prerequisites that follow from a feature's lead back to one of them.
    private func isCyclic(_ feature: String, _ path: [String] = []) -> Bool {
        guard !path.contains(where: { $0.isExactly(feature) }) else { return true }
        let rules = payload.features.first { $0.name.isExactly(feature) }?.rules ?? []
        return rules.contains { rule in
            rule.targeting.prerequisites.contains { isCyclic($0.feature, path + [feature]) }
        }
    }
}
