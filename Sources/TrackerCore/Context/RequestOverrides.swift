import Synchronization
public import TrackerJSON

/// The overrides of a tester's request, for ``FeatureContext/overrides``; created and checked by
/// `FeatureOverrides.forRequest(_:)`.
public struct RequestOverrides: Sendable, Hashable {
    /// The overrides: whether features are `enabled`, `values` by feature and variable, and `variants` by experiment.
    public let json: JSONObject

    private static let made = Atomic(false)

    /// Whether this process has created request overrides, so that a context may have some.
    package static var areMade: Bool { made.load(ordering: .relaxed) }

    package init(checked json: JSONObject) {
        self.json = json
        Self.made.store(true, ordering: .relaxed)
    }

    /// Whether a feature is enabled; nil if that is not overridden.
    package func isEnabled(_ feature: String) -> Bool? { json["enabled"]?[feature]?.bool }

    /// The value of a variable; nil if it is not overridden.
    package func value(of feature: String, _ variable: String) -> JSONValue? {
        json["values"]?[feature]?[variable].flatMap { $0 == .null ? nil : $0 }
    }

    /// The variant of an experiment; nil if none is forced.
    package func variant(of experiment: String) -> String? { json["variants"]?[experiment]?.string }
}
