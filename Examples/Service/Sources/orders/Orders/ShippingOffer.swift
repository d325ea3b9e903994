import Hummingbird
import TrackerConfig

/// What shipping costs and how long it takes.
struct ShippingOffer: ResponseEncodable {
    let price: Double
    let freeFrom: Double
    let days: Int
    let isExpress: Bool
    let variant: String

    /// Reads the offer for the customer of the request from the document in use. A rule offers express to some plans, and a customer
    /// who takes part in the experiment may get it sooner.
    init(_ setup: Setup) {
        // All of one document: one that comes in between does not mix with the one before.
        let features = setup.features.snapshot
        price = features.value("shipping", variable: "price", default: 4.9)
        freeFrom = features.value("shipping", variable: "freeFrom", default: 50)
        days = features.value("shipping", variable: "days", default: 3)
        isExpress = features.isEnabled("express")
        variant = setup.experiments.variant(of: "fast_shipping", default: "control").variant
    }

    func price(of total: Double) -> Double { total < freeFrom ? price : 0 }
}
