/// A value that a source gives to a variable, or to whether a feature is enabled.
package struct Candidate: Sendable {
    /// The value.
    package let content: VariableContent

    /// The source of the value.
    package let source: FeatureSource

    /// Decrypts the value if it is encrypted; nil if nothing can.
    let decrypt: Decryptor?

    /// The rank of the layer that has the value, also if an experiment of that layer gives it.
    let rank: LayerRank

    /// Why the source has this value.
    package let reason: EvaluationReason

    /// The id of the rule that gives the value; nil if it is none.
    package let rule: String?

    /// The variant of the experiment that gives the value; nil if it is none.
    var variant: String? {
        if case .experiment(_, let variant) = source { variant } else { nil }
    }
}
