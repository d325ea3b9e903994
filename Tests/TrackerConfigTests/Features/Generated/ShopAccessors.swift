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

    /// Creates the accessors.
    /// - Parameter features: Where the values come from.
    public init(_ features: Features) {
        self.features = features
        _retryLimit = Variable(features, "checkout", variable: "retryLimit", default: 3)
        _checkoutBanner = Variable(features, "checkout", variable: "banner", default: "welcome")
    }
}
