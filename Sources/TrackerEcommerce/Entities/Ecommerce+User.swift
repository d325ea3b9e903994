public import TrackerCore

extension Ecommerce {
    /// A customer, `iglu:com.snowplowanalytics.snowplow.ecommerce/user/jsonschema/1-0-0`.
    ///
    /// Properties that are nil, which is the default, are left out.
    public struct User: Sendable, Hashable {
        /// The id, at most 128 characters.
        public let id: String

        /// Whether the customer has no account.
        public let isGuest: Bool?

        /// The email address, at most 256 characters.
        public let email: String?

        /// Creates a customer.
        /// - Parameters:
        ///   - id: The id, at most 128 characters.
        ///   - isGuest: Whether the customer has no account.
        ///   - email: The email address, at most 256 characters.
        /// - Throws: ``/TrackerConfig/EventError`` if a value is outside its bounds.
        public init(id: String, isGuest: Bool? = nil, email: String? = nil) throws(EventError) {
            let check = ValueCheck(Self.self)
            self.id = try check.text(id, "id", atMost: 128)
            self.isGuest = isGuest
            self.email = try check.text(email, "email", atMost: 256)
        }

        /// The customer as an entity.
        public var entity: Entity {
            let data = JSONObject(present: [
                ("id", .string(id)),
                ("is_guest", isGuest.map(JSONValue.bool)),
                ("email", email.map(JSONValue.string)),
            ])
            return Entity(schema: "iglu:com.snowplowanalytics.snowplow.ecommerce/user/jsonschema/1-0-0", data: data)
        }
    }
}
