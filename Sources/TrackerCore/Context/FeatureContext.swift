/// For whom a feature is read or an experiment evaluated: for the request of ``TrackingContext/evaluation``, or for one call.
///
/// ```swift
/// let context = FeatureContext(units: ["userId": "u-1"], country: "US", language: "en-GB")
/// ```
public struct FeatureContext: Sendable, Hashable {
    /// The ids of the units, by the names that experiments use: `userId`, `deviceId` …
    public var units: [String: String]

    /// The country, as `US`.
    public var country: String?

    /// The language, as `en` or `en-GB`.
    public var language: String?

    /// Anything else, for conditions in code.
    public var attributes: JSONObject

    /// Creates a context.
    public init(
        units: [String: String] = [:], country: String? = nil, language: String? = nil,
        attributes: JSONObject = JSONObject()
    ) {
        self.units = units
        self.country = country
        self.language = language
        self.attributes = attributes
    }

    /// Creates a context of a user alone.
    /// - Parameter userID: The id of the unit `userId`.
    public init(userID: String) {
        self.init(units: ["userId": userID])
    }
}

extension FeatureContext? {
    /// The context of a read: the one that is given, else the one that is bound to the task.
    package var orCurrent: FeatureContext? { self ?? TrackingContext.current?.evaluation }
}
