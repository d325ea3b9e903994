import FoundationEssentials

/// Features from environment variables: `FEATURE__checkout=false` turns a feature off, `FEATURE__checkout__retryLimit=5`
/// sets a variable.
///
/// The names are exactly those of the document, with two underscores before each; a name that contains two underscores
/// cannot be set this way. Values are strings, which are converted to the requested numbers or booleans; one that is a
/// JSON list or object is that.
public struct EnvironmentProvider: FeatureValueProvider {
    /// The provider's name in explanations: `environment`.
    public let name = "environment"

    private let prefix: String
    private let environment: [String: String]

    /// Creates a provider.
    /// - Parameters:
    ///   - prefix: The prefix of the names; `FEATURE` by default.
    ///   - environment: The variables; nil, the default, uses the process's current ones.
    public init(prefix: String = "FEATURE", environment: [String: String]? = nil) {
        self.prefix = prefix
        self.environment = environment ?? ProcessInfo.processInfo.environment
    }

    /// Reads the variables that were given.
    /// - Returns: The features that they name, and a warning for each feature with a value other than true, false, 1 or
    ///   0.
    public func load() -> ProvidedFeatures {
        var warnings: [ConfigurationError] = []
        var enabled: [String: Bool] = [:]
        var variables: [String: [VariableDefinition]] = [:]
        // Sorted, so that the same environment is always the same.
        for (name, text) in environment.sorted(by: { $0.key < $1.key }) {
            guard name.hasPrefix("\(prefix)__") else { continue }
            let words = name.dropFirst(prefix.count + 2).split(separator: "__", omittingEmptySubsequences: false).map(
                String.init)
            guard !words.contains("") else { continue }
            switch words.count {
            case 1:
                guard let isEnabled = ["true": true, "1": true, "false": false, "0": false][text] else {
                    let reason = "expected true, false, 1 or 0, found \(text.excerpt); it is left out"
                    warnings.append(ConfigurationError(.warning, place: name, reason: reason))
                    continue
                }
                enabled[words[0]] = isEnabled
            case 2:
                variables[words[0], default: []].append(VariableDefinition(name: words[1], value: Self.value(text)))
            default: continue
            }
        }
        let features = Set(enabled.keys).union(variables.keys).sorted().map { feature in
            FeatureDefinition(name: feature, isEnabled: enabled[feature], variables: variables[feature] ?? [])
        }
        return ProvidedFeatures(features, warnings: warnings)
    }

    private static func value(_ text: String) -> JSONValue {
        guard text.hasPrefix("[") || text.hasPrefix("{") else { return .string(text) }
        // What only looks like JSON is a text that begins so.
        return (try? JSONReader.read(Array(text.utf8)).value) ?? .string(text)
    }
}
