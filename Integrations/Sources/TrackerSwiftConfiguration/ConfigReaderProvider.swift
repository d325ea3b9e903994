public import Configuration
public import TrackerFeatures

/// A provider of features with the values of a swift-configuration reader, for example to override a feature by an
/// environment variable or a mounted file.
///
/// A reader cannot list its keys, so the entries name them. The key of a variable is `FEATURE.VARIABLE`, and the key of
/// a feature's enabled state is `FEATURE.enabled`.
///
/// ```swift
/// let config = ConfigReader(providers: [EnvironmentVariablesProvider()])
/// let provider = ConfigReaderProvider(
///     config, [.enabled("checkout"), .variable("checkout", "retryLimit", .int), .secret("payment", "apiKey")])
/// options.features.providers = [provider]
/// options.features.decrypt = provider.secret
/// ```
///
/// With environment variables, `CHECKOUT_RETRY_LIMIT=5` then sets the first variable. Values that the reader does not
/// have come from the next source. Changes of the reader's values are applied as soon as its providers report them.
public struct ConfigReaderProvider: FeatureValueProvider {
    /// A value that the reader may have.
    public struct Entry: Sendable, Hashable {
        /// The type of the value.
        public enum Kind: Sendable, Hashable {
            /// A `String`.
            case string
            /// An `Int`.
            case int
            /// A `Double`.
            case double
            /// A `Bool`.
            case bool
            /// A list of `String`.
            case stringArray
            /// A list of `Int`.
            case intArray
            /// A list of `Double`.
            case doubleArray
            /// A list of `Bool`.
            case boolArray
        }

        fileprivate let feature: String
        /// The variable's name; nil for whether the feature is enabled.
        fileprivate let variable: String?
        fileprivate let kind: Kind
        fileprivate let isSecret: Bool

        /// Returns the entry for whether a feature is enabled.
        /// - Parameter feature: The feature's name.
        /// - Returns: The entry.
        public static func enabled(_ feature: String) -> Entry {
            Entry(feature: feature, variable: nil, kind: .bool, isSecret: false)
        }

        /// Returns the entry of a variable.
        /// - Parameters:
        ///   - feature: The feature's name.
        ///   - variable: The variable's name.
        ///   - kind: The type of the value.
        /// - Returns: The entry.
        public static func variable(_ feature: String, _ variable: String, _ kind: Kind) -> Entry {
            Entry(feature: feature, variable: variable, kind: kind, isSecret: false)
        }

        /// Returns the entry of a secret string, which the console, explanations and access reporters do not show.
        /// - Parameters:
        ///   - feature: The feature's name.
        ///   - variable: The variable's name.
        /// - Returns: The entry.
        public static func secret(_ feature: String, _ variable: String) -> Entry {
            Entry(feature: feature, variable: variable, kind: .string, isSecret: true)
        }

        fileprivate var key: ConfigKey { ConfigKey([feature, variable ?? "enabled"]) }
    }

    /// The provider's name in explanations; `configuration` by default.
    public let name: String

    private let config: ConfigReader
    private let entries: [Entry]

    /// Creates a provider.
    /// - Parameters:
    ///   - config: The reader.
    ///   - entries: The values that the reader may have.
    ///   - name: The provider's name in explanations; `configuration` by default.
    public init(_ config: ConfigReader, _ entries: [Entry], name: String = "configuration") {
        (self.config, self.entries, self.name) = (config, entries, name)
    }

    /// Returns the current values of the reader.
    /// - Returns: The features.
    public func load() -> ProvidedFeatures { Self.features(config.snapshot(), entries) }

    /// Reads a secret, for `FeatureOptions.decrypt`: a secret is an encrypted variable with an empty ciphertext.
    /// - Parameters:
    ///   - ciphertext: The ciphertext, which is not used.
    ///   - name: The names of the feature and the variable, such as `payment.apiKey`.
    /// - Returns: The secret.
    /// - Throws: The reader's error if it does not have the secret.
    @Sendable public func secret(_ ciphertext: String, _ name: String) throws -> JSONValue {
        let entry = entries.first { $0.isSecret && "\($0.feature).\($0.variable ?? "")" == name }
        return .string(try config.requiredString(forKey: entry?.key ?? ConfigKey(name), isSecret: true))
    }

    /// An element each time that the reader's providers report a change.
    public var changes: AsyncStream<Void> {
        // One unread element is enough for several changes.
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { [config] continuation in
            let task = Task {
                defer { continuation.finish() }
                try await config.watchSnapshot { snapshots in
                    // Also yields if only a secret has changed, which the features do not show.
                    for await _ in snapshots { continuation.yield() }
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private static func features(_ snapshot: ConfigSnapshotReader, _ entries: [Entry]) -> ProvidedFeatures {
        var names: [String] = []
        for entry in entries where !names.contains(entry.feature) { names.append(entry.feature) }
        return ProvidedFeatures(
            names.compactMap { name in
                let entries = entries.filter { $0.feature == name }
                let isEnabled = entries.last { $0.variable == nil }.flatMap { snapshot.bool(forKey: $0.key) }
                let variables = entries.compactMap { definition(of: $0, in: snapshot) }
                if isEnabled == nil && variables.isEmpty { return nil }
                return FeatureDefinition(name: name, isEnabled: isEnabled, variables: variables)
            })
    }

    private static func definition(of entry: Entry, in snapshot: ConfigSnapshotReader) -> VariableDefinition? {
        guard let variable = entry.variable, let value = value(of: entry, in: snapshot) else { return nil }
        guard entry.isSecret else { return VariableDefinition(name: variable, value: value) }
        return VariableDefinition(name: variable, value: "", isEncrypted: true)
    }

    private static func value(of entry: Entry, in snapshot: ConfigSnapshotReader) -> JSONValue? {
        let key = entry.key
        return switch entry.kind {
        case .string: snapshot.string(forKey: key, isSecret: entry.isSecret).map { .string($0) }
        case .int: snapshot.int(forKey: key).map { .int($0) }
        case .double: snapshot.double(forKey: key).map { .double($0) }
        case .bool: snapshot.bool(forKey: key).map { .bool($0) }
        case .stringArray: snapshot.stringArray(forKey: key).map { .array($0.map { .string($0) }) }
        case .intArray: snapshot.intArray(forKey: key).map { .array($0.map { .int($0) }) }
        case .doubleArray: snapshot.doubleArray(forKey: key).map { .array($0.map { .double($0) }) }
        case .boolArray: snapshot.boolArray(forKey: key).map { .array($0.map { .bool($0) }) }
        }
    }
}
