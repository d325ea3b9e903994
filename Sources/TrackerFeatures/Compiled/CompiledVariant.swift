/// A variant of an experiment in use.
///
/// A class, because a variant is too large to copy.
package final class CompiledVariant: Sendable {
    package let variant: ExperimentVariant
    /// The name.
    package let name: String
    /// The source of its values.
    let source: FeatureSource
    /// The values, created once, because each assignment returns them.
    let values: [String: JSONObject]

    init(_ variant: ExperimentVariant, of experiment: String) {
        self.variant = variant
        name = variant.name
        values = variant.values
        source = .experiment(id: experiment, variant: variant.name)
    }
}
