/// A file that contains only features, as a provider has it: `{"features": {…}}`.
///
/// A whole document is such a file too: of its other keys, `requires` is checked, and `segments` and `experiments` are
/// read because rules refer to them.
package struct FeaturesFile {
    /// The features.
    package let features: [FeatureDefinition]

    /// The problems that do not prevent the use of the file.
    package let warnings: [ConfigurationError]

    /// Reads a file, strictly.
    /// - Throws: The first fault, with its place.
    package init(_ text: [UInt8]) throws(ConfigurationError) {
        var decoder = try DocumentDecoder(text)
        let members = try decoder.object(decoder.root)
        try decoder.checkRequirements(members)
        features = try decoder.features(of: members).features
        warnings = decoder.warnings
    }
}
