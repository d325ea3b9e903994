import TrackerConfig

/// Reads from the document in use what shipping costs and how long it takes.
struct Shipping: Sendable {
    private let setup: Setup

    init(_ setup: Setup) {
        self.setup = setup
    }

    /// The offer for somebody; who takes part in the experiment may get a faster one.
    /// - Parameter user: Their id; nil for somebody unknown, who takes no part.
    /// - Returns: The offer, of one document.
    func offer(for user: String?) -> ShippingOffer {
        let context = FeatureContext(units: user.map { ["userId": $0] } ?? [:])
        // A snapshot: a document that comes in between does not mix with the one before.
        let features = setup.features.snapshot
        return ShippingOffer(
            price: features.value("shipping", variable: "price", default: 4.9, for: context),
            freeFrom: features.value("shipping", variable: "freeFrom", default: 50, for: context),
            days: features.value("shipping", variable: "days", default: 3, for: context),
            variant: setup.experiments.variant(of: "fast_shipping", default: "control", for: context).variant)
    }
}
