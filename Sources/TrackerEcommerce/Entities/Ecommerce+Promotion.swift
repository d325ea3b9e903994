public import TrackerCore

extension Ecommerce {
    /// A promotion, `iglu:com.snowplowanalytics.snowplow.ecommerce/promotion/jsonschema/1-0-0`.
    ///
    /// Parameters that are nil or empty, which is the default, are left out.
    public struct Promotion: Sendable, Hashable {
        /// The promotion as an entity.
        public let entity: Entity

        /// Creates a promotion.
        /// - Parameters:
        ///   - id: The id, at most 4,096 characters.
        ///   - name: The name, at most 256 characters.
        ///   - productIDs: The ids of the products in it, at most 4,096 characters each.
        ///   - position: The place in a list of promotions, 0 to 9,999,999.
        ///   - creativeID: The id, name or URL of its picture, at most 4,096 characters.
        ///   - type: The form in which it is shown, such as `popup`, at most 256 characters.
        ///   - slot: The place on the page where it is shown, such as `sidebar-1`, at most 256 characters.
        public init(
            id: String, name: String? = nil, productIDs: [String] = [], position: Int? = nil,
            creativeID: String? = nil, type: String? = nil, slot: String? = nil
        ) {
            let data = JSONObject(data: [
                "id": id, "name": name, "product_ids": productIDs, "position": position, "creative_id": creativeID,
                "type": type, "slot": slot,
            ])
            entity = Entity(ecommerce: "promotion", data: data)
        }
    }
}
