import TrackerConfig

/// Reads from the document in use what shipping costs and how long it takes.
struct Shipping: Sendable {
    private let setup: Setup

    init(_ setup: Setup) {
        self.setup = setup
    }

    /// The offer for the user of the request, of one document; a user who takes part in the experiment may get a faster one.
    var offer: ShippingOffer {
        // A snapshot: a document that comes in between does not mix with the one before.
        let features = setup.features.snapshot
        return ShippingOffer(
            price: features.value("shipping", variable: "price", default: 4.9),
            freeFrom: features.value("shipping", variable: "freeFrom", default: 50),
            days: features.value("shipping", variable: "days", default: 3),
            variant: setup.experiments.variant(of: "fast_shipping", default: "control").variant)
    }
}
