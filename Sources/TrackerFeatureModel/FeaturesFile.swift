/// A file of features alone, as a provider or the overrides have it: `{"features": {…}, "variants": {…}, "details": […]}`.
///
/// A whole document is such a file too: of its other keys, `requires` is checked, and `segments` and `experiments` are read
/// because rules refer to them.
package struct FeaturesFile {
    /// The features.
    package let features: [FeatureDefinition]

    /// Forced variants by the experiment's id.
    package let variants: [ExactText: String]

    /// What a file of overrides keeps about them, as it is written; nil if there is nothing.
    package let details: JSONNode?

    /// What is odd.
    package let warnings: [ConfigurationError]

    /// Reads a file, strictly.
    /// - Throws: The first fault with its place.
    package init(_ text: [UInt8]) throws(ConfigurationError) {
        var decoder = DocumentDecoder(text: text)
        let members = try decoder.object(try DocumentDecoder.parse(text), "")
        try decoder.checkRequirements(members)
        features = try decoder.features(of: members).features
        var variants: [ExactText: String] = [:]
        for member in members where member.name == "variants" && !member.value.isNull {
            for variant in try decoder.object(member.value, "variants") where !variant.value.isNull {
                variants[exactly: variant.name] = try decoder.text(variant.value, "variants.\(variant.name)")
            }
        }
        details = members["details"].flatMap { $0.isNull ? nil : $0 }
        (self.variants, warnings) = (variants, decoder.warnings)
    }
}
