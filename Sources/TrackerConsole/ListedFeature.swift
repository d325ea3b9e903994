import FoundationEssentials
import TrackerConfig

/// What a list of features is filtered and sorted by, of one feature.
struct ListedFeature {
    /// A feature counts as stale if it was not evaluated for so many days, nor since the start of a process that is as old.
    static let staleDays = 7

    /// A variable of the feature.
    struct Variable {
        let name: String
        /// All that a filter is compared with, in lower case.
        let text: String
        let isOverridden: Bool
        /// Whether the value is another one than the default's.
        let isDiffering: Bool
    }

    let name: String
    /// Whether the feature is enabled without rules and experiments; nil if no source says so.
    let isEnabled: Bool?
    /// Whether an override says whether the feature is enabled.
    let isOverridden: Bool
    /// Whether the feature is enabled and is not by default, or the other way round.
    let isDiffering: Bool
    /// Sorted by name.
    let variables: [Variable]
    /// The evaluations by reason; reads of plain values are not counted.
    let evaluationsByReason: [EvaluationReason: Int]
    /// In milliseconds since 1970; nil if the feature was not evaluated since the process started.
    let lastEvaluation: Int64?
    let isStale: Bool
    /// Whether the feature was not evaluated since the process started, which is too short ago to call it stale.
    let isNotEvaluatedYet: Bool

    private let lowercasedName: String

    /// Looks a feature up.
    /// - Parameters:
    ///   - name: The feature's name.
    ///   - layers: The layers.
    ///   - hasDefault: Whether the service ships with features: without, nothing differs from them.
    ///   - usage: What is known of its evaluations.
    ///   - start: The time when the process started, in milliseconds since 1970.
    ///   - now: The time in milliseconds since 1970.
    init(
        _ name: String, in layers: FeatureLayers, hasDefault: Bool, usage: FeatureUsage?, start: Int64, now: Int64
    ) {
        let candidates = layers.candidates(.enabled(name))
        self.name = name
        lowercasedName = name.lowercased()
        isEnabled = candidates.first?.value.bool
        isOverridden = layers.overrides[.init(feature: name)] != nil
        isDiffering = Self.differs(candidates, hasDefault)
        let described = layers.described(of: name)
        variables = layers.variables(of: name).map { variable in
            let key = VariableKey(name, variable)
            let words =
                described[exactly: variable].map { [$0.title, $0.description, $0.group].compactMap(\.self) } ?? []
            return Variable(
                name: variable, text: (["\(key)"] + words).joined(separator: "\n").lowercased(),
                isOverridden: layers.overrides[.init(key)] != nil,
                isDiffering: Self.differs(layers.candidates(.variable(key)), hasDefault))
        }
        evaluationsByReason = usage?.evaluations ?? [:]
        lastEvaluation = usage?.lastEvaluation?.milliseconds
        isStale = now - (lastEvaluation ?? start) > Int64(Self.staleDays) * 86_400_000
        isNotEvaluatedYet = lastEvaluation == nil && !isStale
    }

    /// The evaluations that were counted.
    var evaluations: Int { evaluationsByReason.values.reduce(0, +) }

    /// Whether the feature itself or a variable is overridden.
    var hasOverride: Bool { isOverridden || variables.contains(where: \.isOverridden) }

    /// Whether the feature itself or a variable differs from the default.
    var hasDifference: Bool { isDiffering || variables.contains(where: \.isDiffering) }

    /// Whether the name contains a text in lower case; every name contains the empty one.
    func contains(_ needle: String) -> Bool { needle.isEmpty || lowercasedName.contains(needle) }

    /// Whether the first value, which is in effect, is another one than the default's.
    private static func differs(_ candidates: [Candidate], _ hasDefault: Bool) -> Bool {
        guard hasDefault, let effective = candidates.first, effective.source != .default else { return false }
        return candidates.last { $0.source == .default }?.value != effective.value
    }
}
