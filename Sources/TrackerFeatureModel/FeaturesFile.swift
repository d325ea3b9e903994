/// A file of features alone, as a provider or the overrides have it: `{"features": {…}, "variants": {…}}`.
///
/// A whole document is such a file too: what it has beside these two keys is ignored.
package struct FeaturesFile {
    /// The features.
    package let features: [FeatureDefinition]

    /// Forced variants by the experiment's id.
    package let variants: [ExactText: String]

    /// What is odd.
    package let warnings: [ConfigurationWarning]

    /// Reads a file, strictly.
    /// - Throws: The first fault with its place.
    package init(_ text: [UInt8]) throws(ConfigurationError) {
        var decoder = DocumentDecoder(text: text)
        var features: [FeatureDefinition] = []
        var variants: [ExactText: String] = [:]
        for member in try decoder.object(try DocumentDecoder.parse(text), "") where !member.value.isNull {
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
