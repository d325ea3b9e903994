/// A variant of an experiment in use, made ready for many evaluations.
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

    /// The values by feature, if these are few: comparing names is faster than hashing one.
    private let fewOverrides: [(feature: String, values: JSONObject)]

    private static let maxScanned = 8

    init(_ variant: ExperimentVariant, of experiment: String) {
        self.variant = variant
        name = variant.name
        values = variant.values
        source = .experiment(id: experiment, variant: variant.name)
        fewOverrides =
            variant.overrides.count > Self.maxScanned ? [] : variant.overrides.map { ($0.key.text, $0.value) }
    }

    /// The values of a feature; nil if the variant has none.
    func values(of feature: String) -> JSONObject? {
        if variant.overrides.count > Self.maxScanned { return variant.overrides[exactly: feature] }
        for index in fewOverrides.indices where fewOverrides[index].feature.isExactly(feature) {
            return fewOverrides[index].values
        }
        return nil
    }
}
