public import TrackerFeatures

/// Features whose values are set by a test; made by ``TrackerFeatures/Features/inMemory(_:log:)``.
///
/// It uses no disk and no network. A value is in effect when the call that sets it returns. The values form one
/// provider: a value for some contexts has precedence over a value for all, and a newer one over an older one.
/// ``/TrackerConfig/Features/overrides`` take precedence over all of them.
public final class InMemoryFeatures: Sendable {
    /// The features, for code that needs `Features`.
    public let features: Features

    private let provider: InMemoryProvider

    init(_ values: [String: FeatureValues], log: (any LogSink)?) {
        let provider = InMemoryProvider(values)
        self.provider = provider
        var options = FeatureOptions()
        options.providers = [provider]
        features = Features(options: options, log: log)
    }

    /// Sets the values of a feature for all contexts; values for some contexts stay.
    ///
    /// ```swift
    /// features.set(["retryLimit": 5], for: "checkout")
    /// features.set(nil, for: "checkout")
    /// ```
    /// - Parameters:
    ///   - values: Whether the feature is enabled, and all of its variables; nil removes them.
    ///   - feature: The feature's name.
    public func set(_ values: FeatureValues?, for feature: String) {
        provider.set(values, for: feature)
        features.reload()
    }

    /// Sets the values of a feature for a user, the id of the context's unit `userId`.
    ///
    /// ```swift
    /// features.set(true, for: "express", user: "u-1")
    /// ```
    /// - Parameters:
    ///   - values: Whether the feature is enabled, and variables; for missing ones, the values for all contexts apply.
    ///     nil removes them.
    ///   - feature: The feature's name.
    ///   - user: The user's id.
    public func set(_ values: FeatureValues?, for feature: String, user: String) {
        set(values, for: feature, when: ["userId": .string(user)])
    }

    /// Sets the values of a feature for the contexts that meet a condition.
    ///
    /// ```swift
    /// features.set(["limit": 50], for: "search", when: ["country": ["$in": ["CA", "US"]]])
    /// ```
    /// - Parameters:
    ///   - values: Whether the feature is enabled, and variables; for missing ones, the values for all contexts apply.
    ///     nil removes them.
    ///   - feature: The feature's name.
    ///   - condition: The condition, in the language of rules. No context meets a condition with a fatal problem.
    public func set(_ values: FeatureValues?, for feature: String, when condition: JSONObject) {
        provider.set(values, for: feature, when: condition)
        features.reload()
    }
}

extension Features {
    /// Creates features in memory whose values are set by a test.
    ///
    /// ```swift
    /// let features = Features.inMemory(["checkout": true, "search": ["limit": 20]])
    /// features.set(["limit": 50], for: "search", user: "u-1")
    /// let limit = features.features.value("search", variable: "limit", default: 10, for: FeatureContext(userID: "u-1"))
    /// ```
    /// - Parameters:
    ///   - values: The features by name: `true` or `false`, or the variables of an enabled feature; none by default.
    ///   - log: The log; none by default.
    /// - Returns: The features.
    public static func inMemory(
        _ values: [String: FeatureValues] = [:], log: (any LogSink)? = nil
    ) -> InMemoryFeatures {
        InMemoryFeatures(values, log: log)
    }
}

extension FeatureValues: ExpressibleByBooleanLiteral, ExpressibleByDictionaryLiteral {
    /// Creates the values of a feature without variables.
    /// - Parameter isEnabled: Whether the feature is enabled.
    public init(booleanLiteral isEnabled: Bool) {
        self.init(isEnabled: isEnabled, variables: [:])
    }

    /// Creates the values of an enabled feature; the last of several variables with the same name applies.
    /// - Parameter variables: The variables.
    public init(dictionaryLiteral variables: (String, JSONValue)...) {
        self.init(isEnabled: true, variables: Dictionary(variables) { $1 })
    }
}
