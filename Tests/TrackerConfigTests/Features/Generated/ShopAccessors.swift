// Generated from shop.json by tracker-config; changes are overwritten.
// swift-format-ignore-file
public import TrackerConfig

/// The features of shop.json; each variable has the value that it has there for a default.
public struct ShopAccessors: Sendable {
    /// The feature checkout.
    public private(set) var checkout: Checkout

    /// Creates the accessors.
    /// - Parameter features: Where the values come from.
    public init(_ features: Features) {
        self.checkout = Checkout(features)
    }

    /// Returns the accessors for one context, in which experiments are evaluated.
    /// - Parameter context: For whom the variables are read.
    /// - Returns: The accessors.
    public func callAsFunction(for context: FeatureContext) -> Self {
        var accessors = self
        accessors.checkout = self.checkout(for: context)
        return accessors
    }

    /// The variables of the feature checkout.
    public struct Checkout: Sendable {
        /// Retries (checkout.retryLimit)
        @Variable public var retryLimit: Int

        /// (checkout.banner)
        @Variable public var banner: String

        /// Whether checkout is enabled.
        public var isEnabled: Bool { features.isEnabled("checkout", default: true) }

        private let features: Features

        /// Creates the accessors.
        /// - Parameter features: Where the values come from.
        public init(_ features: Features) {
            self.features = features
            _retryLimit = Variable(features, "checkout", variable: "retryLimit", default: 3)
            _banner = Variable(features, "checkout", variable: "banner", default: "welcome")
        }

        /// Returns the accessors for one context, in which experiments are evaluated.
        /// - Parameter context: For whom the variables are read.
        /// - Returns: The accessors.
        public func callAsFunction(for context: FeatureContext) -> Self {
            let context = TrackingContext(evaluation: context)
            var accessors = self
            accessors._retryLimit = _retryLimit.evaluated(in: context)
            accessors._banner = _banner.evaluated(in: context)
            return accessors
        }
    }
}
