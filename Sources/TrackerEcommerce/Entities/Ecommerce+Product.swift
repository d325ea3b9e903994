public import TrackerCore

extension Ecommerce {
    /// A product, `iglu:com.snowplowanalytics.snowplow.ecommerce/product/jsonschema/1-0-0`.
    ///
    /// Parameters that are nil, which is the default, are left out.
    public struct Product: Sendable, Hashable {
        /// The product as an entity.
        public let entity: Entity

        /// Creates a product.
        /// - Parameters:
        ///   - id: The id or the stock-keeping unit, at most 4,096 characters.
        ///   - category: The category, with its levels, such as `Woman/Shoes/Sneakers`, at most 4,096 characters.
        ///   - price: The current price, in units of the currency, 0 to 9,999,999.
        ///   - currency: The currency, three characters (ISO 4217).
        ///   - name: The name, at most 4,096 characters.
        ///   - listPrice: The recommended price, in units of the currency, 0 to 9,999,999.
        ///   - quantity: The quantity in the action, 0 to 9,999,999.
        ///   - size: The size, at most 256 characters.
        ///   - variant: The variant, such as a colour, at most 256 characters.
        ///   - brand: The brand, at most 256 characters.
        ///   - inventoryStatus: The state of the stock, such as `preorder`, at most 256 characters.
        ///   - position: The position in the list, 0 to 9,999,999.
        ///   - creativeID: The id, name or URL of its picture, at most 256 characters.
        public init(
            id: String, category: String, price: Double, currency: String, name: String? = nil,
            listPrice: Double? = nil, quantity: Int? = nil, size: String? = nil, variant: String? = nil,
            brand: String? = nil, inventoryStatus: String? = nil, position: Int? = nil, creativeID: String? = nil
        ) {
            let data = JSONObject(data: [
                "id": id, "category": category, "price": price.amount, "currency": currency, "name": name,
                "list_price": listPrice?.amount, "quantity": quantity, "size": size, "variant": variant,
                "brand": brand, "inventory_status": inventoryStatus, "position": position, "creative_id": creativeID,
            ])
            entity = Entity(ecommerce: "product", data: data)
        }
    }
}
