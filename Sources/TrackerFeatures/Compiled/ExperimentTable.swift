/// The experiments of one document, indexed by id.
package final class ExperimentTable: Sendable {
    /// A table without experiments.
    static let empty = ExperimentTable(version: nil, experiments: [])

    /// The document's version; nil if it has none.
    let version: Int?

    /// The names of all units.
    let units: Set<ExactText>

    /// The names of the units of sticky experiments.
    let stickyUnits: Set<ExactText>

    /// The experiments in the document's order.
    package let all: [CompiledExperiment]

    /// The ids of experiments that providers define.
    private let provided: Set<ExactText>
    private let experiments: [ExactText: CompiledExperiment]

    /// Indexes a document's experiments.
    /// - Parameters:
    ///   - version: The document's version; nil if it has none.
    ///   - experiments: The document's experiments, each id once.
    convenience init(version: Int?, experiments: [Experiment]) {
        self.init(version: version, experiments.map(CompiledExperiment.init), provided: [])
    }

    private init(version: Int?, _ all: [CompiledExperiment], provided: Set<ExactText>) {
        (self.version, self.all, self.provided) = (version, all, provided)
        stickyUnits = Set(
            all.filter(\.isSticky).flatMap { [$0.experiment.unit, $0.experiment.fallbackUnit] }
                .compactMap { $0.map(ExactText.init) })
        units = stickyUnits.union(all.map { ExactText($0.experiment.unit) })
        experiments = Dictionary(all.map { (ExactText($0.id), $0) }) { $1 }
    }

    var isEmpty: Bool { experiments.isEmpty }

    /// Returns a table that also has the experiments of providers. If an id is defined twice, the first one applies;
    /// this table has precedence over all others.
    func adding(_ others: [ExperimentTable]) -> ExperimentTable {
        var ids: Set<ExactText> = []
        let added = others.flatMap(\.all).filter {
            experiment($0.id) == nil && ids.insert(ExactText($0.id)).inserted
        }
        return added.isEmpty ? self : ExperimentTable(version: version, all + added, provided: ids)
    }

    /// The version of an experiment's document; nil if a provider has the experiment.
    func version(of id: String) -> Int? { provided.contains(ExactText(id)) ? nil : version }

    /// The experiment with an id.
    package func experiment(_ id: String) -> CompiledExperiment? {
        experiments.isEmpty ? nil : experiments[exactly: id]
    }

    /// The experiments with any variant that overrides a variable, in the document's order.
    package func overriding(_ key: VariableKey) -> [CompiledExperiment] {
        all.filter { $0.experiment.variants.contains { $0.overrides[exactly: key.feature]?[key.variable] != nil } }
    }
}
