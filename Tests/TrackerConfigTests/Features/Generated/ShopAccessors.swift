// Generated from shop.json by tracker-config; changes are overwritten.
// swift-format-ignore-file
public import TrackerConfig

/// The variables of shop.json, each with the value that it has there for a default.
public struct ShopAccessors: Sendable {
    /// Retries (checkout.retryLimit)
    @Variable public var retryLimit: Int

    /// (checkout.banner)
    @Variable public var checkoutBanner: String

    /// Whether checkout is on.
    public var isCheckoutEnabled: Bool { features.isEnabled("checkout", default: true) }

    private let features: Features

    /// Returns the accessors for one context, in which experiments are evaluated.
    /// - Parameter context: For whom the variables are read.
    /// - Returns: The accessors.
    public func callAsFunction(for context: FeatureContext) -> ShopAccessors {
        let context = TrackingContext(evaluation: context)
        var accessors = self
        accessors._retryLimit = _retryLimit.evaluated(in: context)
        accessors._checkoutBanner = _checkoutBanner.evaluated(in: context)
        return accessors
    }

    /// Creates the accessors.
    /// - Parameter features: Where the values come from.
    public init(_ features: Features) {
        self.features = features
        _retryLimit = Variable(features, "checkout", variable: "retryLimit", default: 3)
        _checkoutBanner = Variable(features, "checkout", variable: "banner", default: "welcome")
    }
}
