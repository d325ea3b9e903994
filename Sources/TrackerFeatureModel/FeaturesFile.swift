/// A file of features alone, as a provider or the overrides have it: `{"features": {…}, "variants": {…}}`.
///
/// A whole document is such a file too: of its other keys, `segments` and `experiments` are read because rules refer to
/// them.
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
        let members = try decoder.object(try DocumentDecoder.parse(text), "")
        features = try decoder.features(of: members).features
        var variants: [ExactText: String] = [:]
        for member in members where member.name == "variants" && !member.value.isNull {
            for variant in try decoder.object(member.value, "variants") where !variant.value.isNull {
                variants[exactly: variant.name] = try decoder.text(variant.value, "variants.\(variant.name)")
            }
        }
        (self.variants, warnings) = (variants, decoder.warnings)
    }
}
