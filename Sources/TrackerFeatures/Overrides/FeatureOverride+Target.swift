extension FeatureOverride {
    /// The target of an override: whether a feature is enabled, a variable, or the variant of an experiment.
    package struct Target: Sendable, Hashable, Comparable {
        private let experiment, feature, variable: ExactText?

        package init(feature: String? = nil, variable: String? = nil, experiment: String? = nil) {
            self.experiment = experiment.map(ExactText.init)
            self.feature = feature.map(ExactText.init)
            self.variable = variable.map(ExactText.init)
        }

        package init(_ key: VariableKey) { self.init(feature: key.feature, variable: key.variable) }

        /// Orders features with their variables by name, and experiments after them.
        package static func < (left: Self, right: Self) -> Bool { left.order < right.order }

        private var order: (ExactText, ExactText, ExactText) {
            let none = ExactText("")
            return (experiment ?? none, feature ?? none, variable ?? none)
        }
    }
}
