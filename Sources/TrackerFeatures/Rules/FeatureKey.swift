/// What is resolved by precedence: a variable, or whether a feature is enabled.
package enum FeatureKey: Sendable {
    case enabled(String)
    case variable(VariableKey)

    /// The feature's name.
    var feature: String {
        switch self {
        case .enabled(let feature): feature
        case .variable(let key): key.feature
        }
    }

    /// The variable's name, or `enabled`.
    var name: String {
        switch self {
        case .enabled: "enabled"
        case .variable(let key): key.variable
        }
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
