/// The experiments of one document, to be looked up by name.
package final class ExperimentTable: Sendable {
    /// A table without experiments.
    static let empty = ExperimentTable(version: nil, experiments: [])

    /// The document's version, nil if it has none.
    let version: Int?

    /// The keys under which sticky experiments store assignments, with those of their earlier bucket versions.
    let sticky: Set<ExactText>

    /// The names of all units.
    let units: Set<ExactText>

    /// The names of the units of sticky experiments, each with the key of one of them.
    let stickyUnits: [ExactText: String]

    /// All of them, in the document's order.
    package let all: [CompiledExperiment]

    /// The ids of experiments that providers define.
    private let provided: Set<ExactText>
    private let experiments: [ExactText: CompiledExperiment]
    private let overriding: [VariableKey: [CompiledExperiment]]
    private let variables: [ExactText: Set<ExactText>]

    /// Indexes a document's experiments.
    /// - Parameters:
    ///   - version: The document's version; nil if it has none.
    ///   - experiments: Its experiments, each id once.
    convenience init(version: Int?, experiments: [Experiment]) {
        self.init(version: version, experiments.map(CompiledExperiment.init), provided: [])
    }

    private init(version: Int?, _ all: [CompiledExperiment], provided: Set<ExactText>) {
        (self.version, self.all, self.provided) = (version, all, provided)
        var compiled: [ExactText: CompiledExperiment] = [:]
        var overrides: [VariableKey: [CompiledExperiment]] = [:]
        var variables: [ExactText: Set<ExactText>] = [:]
        let stickyExperiments = all.filter(\.isSticky)
        sticky = Set(stickyExperiments.flatMap { $0.retainedKeys.map(ExactText.init) })
        let names = stickyExperiments.flatMap { experiment in
            [experiment.experiment.unit, experiment.experiment.fallbackUnit].compactMap { name in
                name.map { (ExactText($0), experiment.storedKey) }
            }
        }
        stickyUnits = Dictionary(names) { first, _ in first }
        units = Set(all.map { ExactText($0.experiment.unit) } + stickyUnits.keys)
        for entry in all {
            compiled[exactly: entry.experiment.id] = entry
            for variant in entry.experiment.variants {
                for (feature, values) in variant.overrides {
                    for (variable, _) in values.members {
                        variables[feature, default: []].insert(ExactText(variable))
                        let key = VariableKey(feature.text, variable)
                        if overrides[key]?.last !== entry { overrides[key, default: []].append(entry) }
                    }
                }
            }
        }
        self.experiments = compiled
        overriding = overrides
        self.variables = variables
    }

    var isEmpty: Bool { experiments.isEmpty }

    /// A table with experiments of providers besides; of two with one id the first counts, and this table's before all.
    func adding(_ others: [ExperimentTable]) -> ExperimentTable {
        var ids: Set<ExactText> = []
        let added = others.flatMap(\.all).filter {
            experiment($0.id) == nil && ids.insert(ExactText($0.id)).inserted
        }
        return added.isEmpty ? self : ExperimentTable(version: version, all + added, provided: ids)
    }

    /// The version of an experiment's document; nil if a provider has the experiment.
    func version(of id: String) -> Int? { provided.contains(ExactText(id)) ? nil : version }

    /// The experiment of an id.
    package func experiment(_ id: String) -> CompiledExperiment? {
        experiments.isEmpty ? nil : experiments[exactly: id]
    }

    /// The variables of a feature that some variant overrides.
    func variables(of feature: String) -> [String] { variables[exactly: feature]?.map(\.text) ?? [] }

    /// The experiments that override a variable in any of their variants, earliest in the document first.
    package func overriding(_ key: VariableKey) -> [CompiledExperiment] {
        overriding.isEmpty ? [] : overriding[key] ?? []
    }

    /// Whether any experiment overrides a variable.
    func overrides(_ key: VariableKey) -> Bool {
        !overriding.isEmpty && overriding.index(forKey: key) != nil
    }
}
