/// What an override changes.
package enum OverrideTarget: Sendable, Hashable {
    /// Whether a feature is enabled.
    case enabled(ExactText)
    case variable(VariableKey)
    /// The variant of an experiment's id.
    case variant(ExactText)

    /// The feature's name; nil of a variant.
    var feature: String? {
        switch self {
        case .enabled(let feature): feature.text
        case .variable(let key): key.feature
        case .variant: nil
        }
    }

    /// The variable's name.
    var variable: String? {
        if case .variable(let key) = self { key.variable } else { nil }
    }

    /// The experiment's id.
    var experiment: String? {
        if case .variant(let experiment) = self { experiment.text } else { nil }
    }
}

extension OverrideTarget: Comparable {
    /// Orders features with their variables by name, and experiments after them.
    package static func < (left: OverrideTarget, right: OverrideTarget) -> Bool {
        for (first, second) in zip(left.names, right.names) where first != second {
            guard let first, let second else { return first == nil }
            return first < second
        }
        return false
    }

    private var names: [ExactText?] { [experiment, feature, variable].map { $0.map(ExactText.init) } }
}

extension OverrideTarget: CustomStringConvertible {
    /// The place, as errors and the log name it: `checkout.enabled`, `checkout.retryLimit`, `experiment checkout_01`.
    package var description: String {
        switch self {
        case .enabled(let feature): "\(FeatureKey.enabled(feature.text))"
        case .variable(let key): "\(key)"
        case .variant(let experiment): "experiment \(experiment)"
        }
    }
}
