/// A variant of an experiment in use.
///
/// A class, because a variant is large to hand on.
package final class CompiledVariant: Sendable {
    package let variant: ExperimentVariant
    /// The name.
    package let name: String
    /// The source of its values.
    let source: FeatureSource
    /// The values, made once, because each assignment hands them out.
    let values: [String: JSONObject]

    init(_ variant: ExperimentVariant, of experiment: String) {
        self.variant = variant
        name = variant.name
        values = variant.values
        source = .experiment(id: experiment, variant: variant.name)
    }
}
