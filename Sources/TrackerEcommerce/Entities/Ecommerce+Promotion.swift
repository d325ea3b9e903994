public import TrackerCore

extension Ecommerce {
    /// A promotion, `iglu:com.snowplowanalytics.snowplow.ecommerce/promotion/jsonschema/1-0-0`.
    ///
    /// Properties that are nil or empty, which is the default, are left out.
    public struct Promotion: Sendable, Hashable {
        /// The id, at most 4,096 characters.
        public let id: String

        /// The name, at most 256 characters.
        public let name: String?

        /// The ids of the products in it, at most 4,096 characters each.
        public let productIDs: [String]

        /// The place in a list of promotions, 0 to 9,999,999.
        public let position: Int?

        /// The id, name or URL of its picture, at most 4,096 characters.
        public let creativeID: String?

        /// The form in which it is shown, such as `popup`, at most 256 characters.
        public let type: String?

        /// The place on the page where it is shown, such as `sidebar-1`, at most 256 characters.
        public let slot: String?

        /// Creates a promotion.
        /// - Parameters:
        ///   - id: The id, at most 4,096 characters.
        ///   - name: The name, at most 256 characters.
        ///   - productIDs: The ids of the products in it, at most 4,096 characters each.
        ///   - position: The place in a list of promotions, 0 to 9,999,999.
        ///   - creativeID: The id, name or URL of its picture, at most 4,096 characters.
        ///   - type: The form in which it is shown, such as `popup`, at most 256 characters.
        ///   - slot: The place on the page where it is shown, such as `sidebar-1`, at most 256 characters.
        /// - Throws: ``/TrackerConfig/EventError`` if a value is outside its bounds.
        public init(
            id: String, name: String? = nil, productIDs: [String] = [], position: Int? = nil,
            creativeID: String? = nil, type: String? = nil, slot: String? = nil
        ) throws(EventError) {
            let check = ValueCheck(Self.self)
            self.id = try check.text(id, "id", atMost: 4096)
            self.name = try check.text(name, "name", atMost: 256)
            self.productIDs = try check.texts(productIDs, "productIDs", atMost: 4096)
            self.position = try check.integer(position, "position", in: 0...9_999_999)
            self.creativeID = try check.text(creativeID, "creativeID", atMost: 4096)
            self.type = try check.text(type, "type", atMost: 256)
            self.slot = try check.text(slot, "slot", atMost: 256)
        }

        /// The promotion as an entity.
        public var entity: Entity {
            let data = JSONObject(present: [
                ("id", .string(id)),
                ("name", name.map(JSONValue.string)),
                ("product_ids", productIDs.isEmpty ? nil : .array(productIDs.map(JSONValue.string))),
                ("position", position.map(JSONValue.int)),
                ("creative_id", creativeID.map(JSONValue.string)),
                ("type", type.map(JSONValue.string)),
                ("slot", slot.map(JSONValue.string)),
            ])
            return Entity(
                schema: "iglu:com.snowplowanalytics.snowplow.ecommerce/promotion/jsonschema/1-0-0", data: data)
        }
    }
}
