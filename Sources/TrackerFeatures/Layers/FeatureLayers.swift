/// What all providers say at one moment, in their order of priority; replaced as a whole.
package final class FeatureLayers: Sendable {
    /// What one of them says.
    package struct Layer: Sendable {
        package let source: FeatureSource
        package let table: FeatureTable
        /// How its encrypted variables are read; nil for not at all.
        let decrypt: Decrypt?
    }

    /// Overrides and the service's own providers, which win over experiments.
    package let upper: [Layer]

    /// The remote document and the default, which experiments win over.
    package let lower: [Layer]

    /// The experiments in use.
    package let experiments: ExperimentTable

    /// What is overridden.
    package let overrides: OverrideSet

    /// Grows with every change.
    let generation: UInt64

    // One look each, however many layers there are.
    private let enabled: [ExactText: Bool]
    private let contents: [VariableKey: FeatureTable.Content]

    init(
        upper: [Layer], lower: [Layer], experiments: ExperimentTable = .empty,
        overrides: OverrideSet = OverrideSet(), generation: UInt64 = 0
    ) {
        // A provider that says nothing costs a reader nothing.
        self.upper = upper.filter { !$0.table.isEmpty }
        self.lower = lower.filter { !$0.table.isEmpty }
        self.experiments = experiments
        self.overrides = overrides
        self.generation = generation
        let tables = (self.upper + self.lower).map(\.table)
        // Of a single one the dictionaries are shared and not copied.
        var (enabled, contents) = (tables.last?.enabled ?? [:], tables.last?.contents ?? [:])
        for table in tables.dropLast().reversed() {
            enabled.merge(table.enabled) { $1 }
            contents.merge(table.contents) { $1 }
        }
        (self.enabled, self.contents) = (enabled, contents)
    }

    /// The variant that is forced for an experiment's id.
    package func forced(_ experiment: String) -> String? { overrides.variants[exactly: experiment] }

    /// The first opinion of whether a feature is on.
    func isEnabled(_ feature: String) -> Bool? { enabled[exactly: feature] }

    /// What the first that has a variable says of it, experiments aside.
    package func content(_ key: VariableKey) -> FeatureTable.Content? { contents[key] }

    /// All features that somebody names, each once, sorted.
    package var names: [String] {
        (upper + lower).flatMap { $0.table.definitions.map(\.name) }.sortedUnique
    }

    /// The variables of a feature that somebody names, each once, sorted.
    package func variables(of feature: String) -> [String] {
        let definitions = (upper + lower).compactMap { $0.table.definition(feature) }
        return definitions.flatMap { $0.variables.map(\.name) }.sortedUnique
    }

    /// Whether somebody names a feature.
    package func has(_ feature: String) -> Bool {
        (upper + lower).contains { $0.table.definition(feature) != nil }
    }
}
