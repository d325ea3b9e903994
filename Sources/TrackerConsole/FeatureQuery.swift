import TrackerConfig

/// What a request asks of the list of features: `?filter=`, `?chips=`, `?sort=`, `?offset=` and `?limit=`.
struct FeatureQuery: Equatable {
    /// A property that chooses features; several choose those that have all.
    enum Chip: String, CaseIterable {
        /// An override is in effect.
        case overridden
        /// A value differs from the default's.
        case differing
        /// The feature was not evaluated for ``ListedFeature/staleDays`` days, which the process has run at least.
        case stale
    }

    /// What the list is sorted by.
    enum Key: String, CaseIterable {
        case name, enabled, variables, evaluations, lastEvaluation
    }

    /// The most features of one answer.
    static let maxLimit = 1000

    /// What a name, title, description or group must contain, in lower case; empty chooses all.
    var needle = ""
    var chips: Set<Chip> = []
    var key = Key.name
    var isDescending = false
    var offset = 0
    var limit = 100

    /// Reads a request.
    /// - Throws: If a value cannot be used.
    init(_ request: ConsoleRequest) throws(ConsoleError) {
        needle = (request.query("filter") ?? "").lowercased().trimmed
        for name in (request.query("chips") ?? "").split(separator: ",") {
            guard let chip = Chip(rawValue: String(name)) else { throw Self.unusable("chips", Chip.allCases) }
            chips.insert(chip)
        }
        if let sort = request.query("sort") {
            isDescending = sort.hasPrefix("-")
            guard let key = Key(rawValue: isDescending ? String(sort.dropFirst()) : sort) else {
                throw Self.unusable("sort", Key.allCases)
            }
            self.key = key
        }
        offset = try WebConsole.number("offset", of: request, in: 0...Int(Int32.max)) ?? offset
        limit = try WebConsole.number("limit", of: request, in: 1...Self.maxLimit) ?? limit
    }

    private static func unusable<Choice: RawRepresentable<String>>(_ name: String, _ choices: [Choice]) -> ConsoleError
    {
        ConsoleError(400, "\(name): expected \(choices.map(\.rawValue).joined(separator: ", "))")
    }

    /// The features to show, all pages of them.
    func choose(_ features: [ListedFeature]) -> [ListedFeature] {
        let chosen = features.filter { isChosen($0) }
        // They come sorted by name, and the sort is stable.
        switch key {
        case .name: return isDescending ? chosen.reversed() : chosen
        case .enabled: return sorted(chosen) { $0.isEnabled.map { $0 ? 2 : 1 } ?? 0 }
        case .variables: return sorted(chosen) { $0.variables.count }
        case .evaluations: return sorted(chosen) { $0.evaluations }
        case .lastEvaluation: return sorted(chosen) { $0.lastEvaluation ?? 0 }
        }
    }

    /// Where the page begins; one that is gone with its features becomes the last one.
    func start(of count: Int) -> Int {
        offset < count ? offset : max(0, (count - 1) / limit * limit)
    }

    private func sorted<Value: Comparable>(
        _ features: [ListedFeature], by value: (ListedFeature) -> Value
    ) -> [ListedFeature] {
        features.sorted { isDescending ? value($0) > value($1) : value($0) < value($1) }
    }

    private func isChosen(_ feature: ListedFeature) -> Bool {
        if chips.contains(.stale), !feature.isStale { return false }
        return showsItself(feature) || !shownVariables(of: feature).isEmpty
    }

    private func showsItself(_ feature: ListedFeature) -> Bool {
        feature.contains(needle) && has(feature.isOverridden, feature.isDiffering)
    }

    /// The variables of a feature to show: all if the filter is met by the feature's own name.
    func shownVariables(of feature: ListedFeature) -> [ListedFeature.Variable] {
        let isNamed = feature.contains(needle)
        return feature.variables.filter {
            (isNamed || $0.text.contains(needle)) && has($0.isOverridden, $0.isDiffering)
        }
    }

    private func has(_ isOverridden: Bool, _ isDiffering: Bool) -> Bool {
        (isOverridden || !chips.contains(.overridden)) && (isDiffering || !chips.contains(.differing))
    }
}
