public import TrackerCore

extension Ecommerce {
    /// A refund, `iglu:com.snowplowanalytics.snowplow.ecommerce/refund/jsonschema/1-0-0`.
    ///
    /// Parameters that are nil, which is the default, are left out.
    public struct Refund: Sendable, Hashable {
        /// The refund as an entity.
        public let entity: Entity

        /// Creates a refund.
        /// - Parameters:
        ///   - transactionID: The id of the transaction, at most 4,096 characters.
        ///   - currency: The currency, three characters (ISO 4217).
        ///   - refundAmount: The amount, in units of the currency, 0 to 9,999,999.
        ///   - refundReason: The reason, at most 4,096 characters.
        public init(transactionID: String, currency: String, refundAmount: Double, refundReason: String? = nil) {
            let data = JSONObject(data: [
                "transaction_id": transactionID, "currency": currency, "refund_amount": refundAmount.amount,
                "refund_reason": refundReason,
            ])
            entity = Entity(ecommerce: "refund", data: data)
        }
    }
}
