// Generated from shop.json by tracker-config; changes are overwritten.
// swift-format-ignore-file
public import TrackerConfig

/// The features of shop.json; each variable has the value that it has there for a default.
public struct ShopAccessors: Sendable {
    /// The feature checkout.
    public private(set) var checkout: Checkout

    /// The feature newCheckout.
    public private(set) var newCheckout: NewCheckout

    /// Creates the accessors.
    /// - Parameter features: Where the values come from.
    public init(_ features: Features) {
        self.checkout = Checkout(features)
        self.newCheckout = NewCheckout(features)
    }

    /// Returns the accessors for one context, whatever is bound to the task.
    /// - Parameter context: The context in which rules and experiments are evaluated.
    /// - Returns: The accessors.
    public func callAsFunction(for context: FeatureContext) -> Self {
        var accessors = self
        accessors.checkout = self.checkout(for: context)
        accessors.newCheckout = self.newCheckout(for: context)
        return accessors
    }

    /// The feature checkout.
    public struct Checkout: Sendable {
        /// Retries (checkout.retryLimit)
        @Variable public var retryLimit: Int

        /// (checkout.banner)
        @Variable public var banner: String

        /// Whether checkout is enabled.
        public var isEnabled: Bool { features.isEnabled("checkout", default: true, for: context) }

        private let features: Features
        private var context: FeatureContext?

        /// Creates the accessors.
        /// - Parameter features: Where the values come from.
        public init(_ features: Features) {
            self.features = features
            _retryLimit = Variable(features, "checkout", variable: "retryLimit", default: 3)
            _banner = Variable(features, "checkout", variable: "banner", default: "welcome")
        }

        /// Returns the accessors for one context, whatever is bound to the task.
        /// - Parameter context: The context in which rules and experiments are evaluated.
        /// - Returns: The accessors.
        public func callAsFunction(for context: FeatureContext) -> Self {
            var accessors = self
            accessors.context = context
            let scope = TrackingContext(evaluation: context)
            accessors._retryLimit = _retryLimit.evaluated(in: scope)
            accessors._banner = _banner.evaluated(in: scope)
            return accessors
        }
    }

    /// The feature newCheckout.
    public struct NewCheckout: Sendable {
        /// Whether newCheckout is enabled.
        public var isEnabled: Bool { features.isEnabled("newCheckout", default: false, for: context) }

        private let features: Features
        private var context: FeatureContext?

        /// Creates the accessors.
        /// - Parameter features: Where the values come from.
        public init(_ features: Features) {
            self.features = features
        }

        /// Returns the accessors for one context, whatever is bound to the task.
        /// - Parameter context: The context in which rules and experiments are evaluated.
        /// - Returns: The accessors.
        public func callAsFunction(for context: FeatureContext) -> Self {
            var accessors = self
            accessors.context = context
            return accessors
        }
    }
}
