/// An experiment of a document in use, made ready for many evaluations.
///
/// A class, because an experiment is large to hand on.
package final class CompiledExperiment: Sendable {
    package let experiment: Experiment
    let audience: Audience
    /// A hash of all that the document says of the experiment, within this process: in a later document an experiment with
    /// the same content gives each unit what it has.
    let digest: Int

    init(_ experiment: Experiment) {
        self.experiment = experiment
        var hasher = Hasher()
        hasher.combine(experiment)
        digest = hasher.finalize()
        audience = Audience(countries: experiment.countries, languages: experiment.languages)
    }

    var id: String { experiment.id }

    /// The variant of a name, nil where there is none.
    func variant(_ name: String) -> ExperimentVariant? {
        experiment.variants.first { $0.name.isExactly(name) }
    }

    /// What can be said before anybody knows what is stored.
    enum Entry {
        /// The end of the evaluation.
        case evaluation(Evaluation)
        /// The unit to look up or to hash.
        case unit(ExperimentUnit)
    }

    /// The part of an evaluation that needs nothing stored.
    /// - Parameters:
    ///   - forced: The variant that an override forces; one that the experiment does not have is as if there were none.
    ///   - condition: What the service's code says of the context.
    ///   - context: For whom.
    /// - Returns: The evaluation, or the unit that it depends on.
    func entry(
        forced: String?, condition: (@Sendable (FeatureContext) -> Bool)?, _ context: FeatureContext
    ) -> Entry {
        if let forced, let variant = variant(forced) { return .evaluation(Evaluation(.forced, variant)) }
        if let condition, !condition(context) { return .evaluation(Evaluation(.condition)) }
        guard audience.includes(context) else { return .evaluation(Evaluation(.filtered)) }
        guard let unit = context.unit(experiment.unit) else { return .evaluation(Evaluation(.noUnit)) }
        return .unit(unit)
    }

    /// What the hash says of a unit.
    func drawn(_ unit: ExperimentUnit) -> Evaluation {
        guard let index = experiment.variantIndex(for: unit.id) else { return Evaluation(.notCovered) }
        return Evaluation(.assigned, experiment.variants[index])
    }
}
