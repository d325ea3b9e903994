import Hummingbird

/// What somebody has bought.
struct Order: ResponseCodable {
    let id: Int
    let item: String
    let total: Double
    let shipping: Double
    let days: Int
}

/// What somebody wants to buy.
struct OrderRequest: Decodable {
    let item: String
    let total: Double
}
