/// A file of features alone, as a provider or the overrides have it: `{"features": {…}, "variants": {…}}`.
///
/// A whole document is such a file too: what it has beside these two keys is ignored.
struct FeaturesFile {
    /// The features.
    let features: [FeatureDefinition]

    /// Forced variants by the experiment's id.
    let variants: [ExactText: String]

    /// What is odd.
    let warnings: [ConfigurationWarning]

    /// Reads a file, strictly.
    /// - Throws: The first fault with its place.
    init(_ text: [UInt8]) throws(ConfigurationError) {
        var decoder = DocumentDecoder(text: text, purpose: .default)
        var features: [FeatureDefinition] = []
        var variants: [ExactText: String] = [:]
        for member in try decoder.object(try Document.read(text), "") where !member.value.isNull {
            switch member.name {
            case "features": features = try decoder.features(member.value)
            case "variants":
                for variant in try decoder.object(member.value, "variants") where !variant.value.isNull {
                    variants[exactly: variant.name] = try decoder.text(variant.value, "variants.\(variant.name)")
                }
            default: break
            }
        }
        (self.features, self.variants, warnings) = (features, variants, decoder.warnings)
    }
}
