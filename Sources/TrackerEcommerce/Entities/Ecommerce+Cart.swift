public import TrackerCore

extension Ecommerce {
    /// A cart, `iglu:com.snowplowanalytics.snowplow.ecommerce/cart/jsonschema/1-0-0`.
    ///
    /// Parameters that are nil, which is the default, are left out.
    public struct Cart: Sendable, Hashable {
        /// The cart as an entity.
        public let entity: Entity

        /// Creates a cart.
        /// - Parameters:
        ///   - totalValue: The value of all products in the cart, in units of the currency, 0 to 9,999,999.
        ///   - currency: The currency, three characters (ISO 4217).
        ///   - cartID: The id, at most 4,096 characters.
        public init(totalValue: Double, currency: String, cartID: String? = nil) {
            let data = JSONObject(data: ["total_value": totalValue.amount, "currency": currency, "cart_id": cartID])
            entity = Entity(ecommerce: "cart", data: data)
        }
    }
}
