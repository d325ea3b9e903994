public import TrackerCore

extension Ecommerce {
    /// A customer, `iglu:com.snowplowanalytics.snowplow.ecommerce/user/jsonschema/1-0-0`.
    ///
    /// Parameters that are nil, which is the default, are left out.
    public struct User: Sendable, Hashable {
        /// The customer as an entity.
        public let entity: Entity

        /// Creates a customer.
        /// - Parameters:
        ///   - id: The id, at most 128 characters.
        ///   - isGuest: Whether the customer has no account.
        ///   - email: The email address, at most 256 characters.
        public init(id: String, isGuest: Bool? = nil, email: String? = nil) {
            let data = JSONObject(data: ["id": id, "is_guest": isGuest, "email": email])
            entity = Entity(ecommerce: "user", data: data)
        }
    }
}
