/// A file of features alone, as a provider has it: `{"features": {…}}`.
///
/// A whole document is such a file too: of its other keys, `requires` is checked, and `segments` and `experiments` are read
/// because rules refer to them.
package struct FeaturesFile {
    /// The features.
    package let features: [FeatureDefinition]

    /// What is odd.
    package let warnings: [ConfigurationError]

    /// Reads a file, strictly.
    /// - Throws: The first fault with its place.
    package init(_ text: [UInt8]) throws(ConfigurationError) {
        var decoder = DocumentDecoder(text: text)
        let members = try decoder.object(try DocumentDecoder.parse(text), "")
        try decoder.checkRequirements(members)
        features = try decoder.features(of: members).features
        warnings = decoder.warnings
    }
}
