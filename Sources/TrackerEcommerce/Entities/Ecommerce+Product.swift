public import TrackerCore

extension Ecommerce {
    /// A product, `iglu:com.snowplowanalytics.snowplow.ecommerce/product/jsonschema/1-0-0`.
    ///
    /// Properties that are nil, which is the default, are left out.
    public struct Product: Sendable, Hashable {
        /// The id or the stock-keeping unit, at most 4,096 characters.
        public let id: String

        /// The category, with its levels, such as `Woman/Shoes/Sneakers`, at most 4,096 characters.
        public let category: String

        /// The current price, in units of the currency, 0 to 9,999,999 with at most two decimals.
        public let price: Double

        /// The currency, three characters (ISO 4217).
        public let currency: String

        /// The name, at most 4,096 characters.
        public let name: String?

        /// The recommended price, in units of the currency, 0 to 9,999,999 with at most two decimals.
        public let listPrice: Double?

        /// The quantity in the action, 0 to 9,999,999.
        public let quantity: Int?

        /// The size, at most 256 characters.
        public let size: String?

        /// The variant, such as a colour, at most 256 characters.
        public let variant: String?

        /// The brand, at most 256 characters.
        public let brand: String?

        /// The state of the stock, such as `preorder`, at most 256 characters.
        public let inventoryStatus: String?

        /// The position in the list, 0 to 9,999,999.
        public let position: Int?

        /// The id, name or URL of its picture, at most 256 characters.
        public let creativeID: String?

        /// Creates a product.
        /// - Parameters:
        ///   - id: The id or the stock-keeping unit, at most 4,096 characters.
        ///   - category: The category, with its levels, such as `Woman/Shoes/Sneakers`, at most 4,096 characters.
        ///   - price: The current price, in units of the currency, 0 to 9,999,999 with at most two decimals.
        ///   - currency: The currency, three characters (ISO 4217).
        ///   - name: The name, at most 4,096 characters.
        ///   - listPrice: The recommended price, in units of the currency, 0 to 9,999,999 with at most two decimals.
        ///   - quantity: The quantity in the action, 0 to 9,999,999.
        ///   - size: The size, at most 256 characters.
        ///   - variant: The variant, such as a colour, at most 256 characters.
        ///   - brand: The brand, at most 256 characters.
        ///   - inventoryStatus: The state of the stock, such as `preorder`, at most 256 characters.
        ///   - position: The position in the list, 0 to 9,999,999.
        ///   - creativeID: The id, name or URL of its picture, at most 256 characters.
        /// - Throws: ``/TrackerConfig/EventError`` if a value is outside its bounds.
        public init(
            id: String, category: String, price: Double, currency: String, name: String? = nil,
            listPrice: Double? = nil, quantity: Int? = nil, size: String? = nil, variant: String? = nil,
            brand: String? = nil, inventoryStatus: String? = nil, position: Int? = nil, creativeID: String? = nil
        ) throws(EventError) {
            let check = ValueCheck(Self.self)
            self.id = try check.text(id, "id", atMost: 4096)
            self.category = try check.text(category, "category", atMost: 4096)
            self.price = try check.money(price, "price")
            self.currency = try check.currency(currency, "currency")
            self.name = try check.text(name, "name", atMost: 4096)
            self.listPrice = try check.money(listPrice, "listPrice")
            self.quantity = try check.integer(quantity, "quantity", in: 0...9_999_999)
            self.size = try check.text(size, "size", atMost: 256)
            self.variant = try check.text(variant, "variant", atMost: 256)
            self.brand = try check.text(brand, "brand", atMost: 256)
            self.inventoryStatus = try check.text(inventoryStatus, "inventoryStatus", atMost: 256)
            self.position = try check.integer(position, "position", in: 0...9_999_999)
            self.creativeID = try check.text(creativeID, "creativeID", atMost: 256)
        }

        /// The product as an entity.
        public var entity: Entity {
            let data = JSONObject(present: [
                ("id", .string(id)),
                ("category", .string(category)),
                ("price", .double(price)),
                ("currency", .string(currency)),
                ("name", name.map(JSONValue.string)),
                ("list_price", listPrice.map(JSONValue.double)),
                ("quantity", quantity.map(JSONValue.int)),
                ("size", size.map(JSONValue.string)),
                ("variant", variant.map(JSONValue.string)),
                ("brand", brand.map(JSONValue.string)),
                ("inventory_status", inventoryStatus.map(JSONValue.string)),
                ("position", position.map(JSONValue.int)),
                ("creative_id", creativeID.map(JSONValue.string)),
            ])
            return Entity(schema: "iglu:com.snowplowanalytics.snowplow.ecommerce/product/jsonschema/1-0-0", data: data)
        }
    }
}
