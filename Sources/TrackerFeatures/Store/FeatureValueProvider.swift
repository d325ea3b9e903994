/// A source of features that has precedence over the documents.
///
/// The library includes ``JSONFileProvider``; conform your own type for other sources.
///
/// ```swift
/// var options = SetupOptions()
/// options.features.providers = [JSONFileProvider(path: "/etc/shop/features.json")]
/// ```
public protocol FeatureValueProvider: Sendable {
    /// The provider's name in explanations. Two providers may have the same name. It is read once, when the setup
    /// starts.
    var name: String { get }

    /// Returns the provider's features. It is called when the setup starts, after each of ``changes`` and at
    /// ``Features/reload()``, outside all locks. A provider that would have to wait for a network returns its current
    /// features, and reports a change later.
    /// - Returns: The features.
    /// - Throws: An error if the features cannot be read; the features of the last call stay in effect, and the error
    ///   is logged.
    func load() throws -> ProvidedFeatures

    /// An element each time that the provider's features have changed. Read once, before the first call of ``load()``;
    /// no elements by default.
    var changes: AsyncStream<Void> { get }
}

extension FeatureValueProvider {
    /// A sequence without elements.
    public var changes: AsyncStream<Void> { AsyncStream { $0.finish() } }
}

/// The features of a provider.
public struct ProvidedFeatures: Sendable, Hashable {
    /// The features; if a name occurs twice, the later one applies.
    public var features: [FeatureDefinition]

    /// Problems that did not prevent reading the features; each is logged.
    public var warnings: [ConfigurationError]

    /// Creates the features of a provider.
    /// - Parameters:
    ///   - features: The features.
    ///   - warnings: Problems that did not prevent reading the features; empty by default.
    public init(_ features: [FeatureDefinition], warnings: [ConfigurationError] = []) {
        self.features = features
        self.warnings = warnings
    }

    /// Reads features with their rules and experiments in the form of a document.
    ///
    /// ```swift
    /// try ProvidedFeatures(json: Array(#"{"features": {"checkout": {"enabled": true}}}"#.utf8))
    /// ```
    /// - Parameter text: An object of the form `{"features": {…}}`, or a whole document, in UTF-8.
    /// - Throws: ``ConfigurationError`` with the place if its content is invalid.
    public init(json text: [UInt8]) throws(ConfigurationError) {
        let file = try FeaturesFile(text)
        self.init(file.features, warnings: file.warnings)
    }
}
