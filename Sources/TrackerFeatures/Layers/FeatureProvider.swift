/// Says something of features: beside the documents and in priority over them. Two implementations:
/// ``EnvironmentProvider`` and ``JSONFileProvider``; bring your own for anything else.
///
/// ```swift
/// var options = SetupOptions()
/// options.features.providers = [EnvironmentProvider(), JSONFileProvider(path: "/etc/shop/features.json")]
/// ```
public protocol FeatureProvider: Sendable {
    /// What explanations call it; of two with one name, both count. Asked for when the setup starts.
    var name: String { get }

    /// What it says now. Called when the setup starts, at each ``changes`` and at ``Features/reload()``, outside all locks;
    /// a provider that has to wait for a network gives what it has and tells of a change later.
    /// - Returns: What it says.
    /// - Throws: Where it cannot say; what it said before stays in effect and the error is logged.
    func load() throws -> ProvidedFeatures

    /// An element each time when it has something else to say, also before somebody reads it. Asked for once, before
    /// ``load()`` is called first. Built in: none, ever.
    var changes: AsyncStream<Void> { get }

    /// How its encrypted variables are read. Asked for when the setup starts. Built in: nil, as ``FeatureOptions/decrypt`` says.
    var decrypt: Decrypt? { get }
}

extension FeatureProvider {
    /// None, ever.
    public var changes: AsyncStream<Void> { AsyncStream { $0.finish() } }

    /// As ``FeatureOptions/decrypt`` says.
    public var decrypt: Decrypt? { nil }
}

/// What a provider says.
public struct ProvidedFeatures: Sendable, Hashable {
    /// The features of which it says something; of two with one name the later counts.
    public var features: [FeatureDefinition]

    /// What is odd and was lived with; it is logged.
    public var warnings: [ConfigurationWarning]

    /// Says something.
    /// - Parameters:
    ///   - features: The features of which it says something.
    ///   - warnings: What is odd and was lived with; nothing by default.
    public init(_ features: [FeatureDefinition], warnings: [ConfigurationWarning] = []) {
        self.features = features
        self.warnings = warnings
    }
}
