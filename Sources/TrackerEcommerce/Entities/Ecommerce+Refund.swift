public import TrackerCore

extension Ecommerce {
    /// A refund, `iglu:com.snowplowanalytics.snowplow.ecommerce/refund/jsonschema/1-0-0`.
    ///
    /// Properties that are nil, which is the default, are left out.
    public struct Refund: Sendable, Hashable {
        /// The id of the transaction, at most 4,096 characters.
        public let transactionID: String

        /// The currency, three characters (ISO 4217).
        public let currency: String

        /// The amount, in units of the currency, 0 to 9,999,999 with at most two decimals.
        public let refundAmount: Double

        /// The reason, at most 4,096 characters.
        public let refundReason: String?

        /// Creates a refund.
        /// - Parameters:
        ///   - transactionID: The id of the transaction, at most 4,096 characters.
        ///   - currency: The currency, three characters (ISO 4217).
        ///   - refundAmount: The amount, in units of the currency, 0 to 9,999,999 with at most two decimals.
        ///   - refundReason: The reason, at most 4,096 characters.
        /// - Throws: ``/TrackerConfig/EventError`` if a value is outside its bounds.
        public init(
            transactionID: String, currency: String, refundAmount: Double, refundReason: String? = nil
        ) throws(EventError) {
            let check = ValueCheck(Self.self)
            self.transactionID = try check.text(transactionID, "transactionID", atMost: 4096)
            self.currency = try check.currency(currency, "currency")
            self.refundAmount = try check.money(refundAmount, "refundAmount")
            self.refundReason = try check.text(refundReason, "refundReason", atMost: 4096)
        }

        /// The refund as an entity.
        public var entity: Entity {
            let data = JSONObject(present: [
                ("transaction_id", .string(transactionID)),
                ("currency", .string(currency)),
                ("refund_amount", .double(refundAmount)),
                ("refund_reason", refundReason.map(JSONValue.string)),
            ])
            return Entity(schema: "iglu:com.snowplowanalytics.snowplow.ecommerce/refund/jsonschema/1-0-0", data: data)
        }
    }
}
