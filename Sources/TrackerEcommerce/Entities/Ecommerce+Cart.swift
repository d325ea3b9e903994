public import TrackerCore

extension Ecommerce {
    /// A cart, `iglu:com.snowplowanalytics.snowplow.ecommerce/cart/jsonschema/1-0-0`.
    ///
    /// Properties that are nil, which is the default, are left out.
    public struct Cart: Sendable, Hashable {
        /// The value of all products in the cart, in units of the currency, 0 to 9,999,999 with at most two decimals.
        public let totalValue: Double

        /// The currency, three characters (ISO 4217).
        public let currency: String

        /// The id, at most 4,096 characters.
        public let cartID: String?

        /// Creates a cart.
        /// - Parameters:
        ///   - totalValue: The value of all products in the cart, in units of the currency, 0 to 9,999,999 with at most
        ///     two decimals.
        ///   - currency: The currency, three characters (ISO 4217).
        ///   - cartID: The id, at most 4,096 characters.
        /// - Throws: ``/TrackerConfig/EventError`` if a value is outside its bounds.
        public init(totalValue: Double, currency: String, cartID: String? = nil) throws(EventError) {
            let check = ValueCheck(Self.self)
            self.totalValue = try check.money(totalValue, "totalValue")
            self.currency = try check.currency(currency, "currency")
            self.cartID = try check.text(cartID, "cartID", atMost: 4096)
        }

        /// The cart as an entity.
        public var entity: Entity {
            let data = JSONObject(present: [
                ("total_value", .double(totalValue)),
                ("currency", .string(currency)),
                ("cart_id", cartID.map(JSONValue.string)),
            ])
            return Entity(schema: "iglu:com.snowplowanalytics.snowplow.ecommerce/cart/jsonschema/1-0-0", data: data)
        }
    }
}
