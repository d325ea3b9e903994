import TrackerFeatures

extension FeatureLayers {
    /// The kind of a variable, derived from its values below the overrides, because an override may be a mistake. If
    /// there are several kinds of numbers, it is the most general one.
    func kind(of key: VariableKey) -> VariableKind? {
        let candidates = candidates(.variable(key))
        func kinds(_ isIncluded: (FeatureSource) -> Bool) -> [VariableKind] {
            candidates.filter { isIncluded($0.source) }.compactMap { VariableKind($0.value) }
        }
        let provided = kinds(\.isProvider)
        let written = kinds { $0 != .override && !$0.isProvider }
        // Providers such as the environment may have strings only, which are read as the document's type.
        let kinds = provided.filter { $0 != .string || written.isEmpty } + written
        if kinds.contains(.number), kinds.allSatisfy({ VariableKind.number.takes($0) }) { return .number }
        return kinds.first ?? candidates.first.flatMap { VariableKind($0.value) }
    }
}

extension FeatureSource {
    fileprivate var isProvider: Bool {
        if case .provider = self { true } else { false }
    }
}
