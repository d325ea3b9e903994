import Hummingbird

/// What a customer has bought.
struct Order: ResponseCodable {
    let id: Int
    let item: String
    let total: Double
    let shipping: Double
    let days: Int
    let isExpress: Bool
}

/// What a customer wants to buy.
struct OrderRequest: Decodable {
    let item: String
    let total: Double
}
