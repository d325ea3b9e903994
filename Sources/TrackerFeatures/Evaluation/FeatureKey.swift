/// What is resolved by precedence: a variable, or whether a feature is enabled.
package enum FeatureKey: Sendable, Hashable {
    case enabled(String)
    case variable(VariableKey)

    /// The feature's name.
    package var feature: String {
        switch self {
        case .enabled(let feature): feature
        case .variable(let key): key.feature
        }
    }

    /// The variable's name; nil for whether the feature is enabled.
    package var variable: String? {
        if case .variable(let key) = self { key.variable } else { nil }
    }
}

extension FeatureKey: CustomStringConvertible {
    /// The place in a document: `checkout.retryLimit`.
    package var description: String {
        switch self {
        case .enabled(let feature): "\(feature).enabled"
        case .variable(let key): "\(key)"
        }
    }
}
