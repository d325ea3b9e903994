/// A key that is resolved by precedence: a variable, or whether a feature is enabled.
package enum FeatureKey: Sendable {
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

extension FeatureKey: Hashable {
    @inline(__always)
    package static func == (left: FeatureKey, right: FeatureKey) -> Bool {
        switch (left, right) {
        case (.enabled(let left), .enabled(let right)): left.isExactly(right)
        case (.variable(let left), .variable(let right)): left == right
        default: false
        }
    }

    @inline(__always)
    package func hash(into hasher: inout Hasher) {
        switch self {
        case .enabled(let feature): feature.hash(into: &hasher)
        case .variable(let key): key.hash(into: &hasher)
        }
    }
}

extension FeatureKey: CustomStringConvertible {
    /// The place of the key in a document: `checkout.retryLimit`.
    package var description: String {
        switch self {
        case .enabled(let feature): "\(feature).enabled"
        case .variable(let key): "\(key)"
        }
    }
}
