import Hummingbird

/// What shipping costs and how long it takes.
struct ShippingOffer: ResponseEncodable {
    let price: Double
    let freeFrom: Double
    let days: Int
    let variant: String

    func price(of total: Double) -> Double { total < freeFrom ? price : 0 }
}
