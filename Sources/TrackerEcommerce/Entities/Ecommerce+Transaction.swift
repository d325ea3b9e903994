public import TrackerCore

extension Ecommerce {
    /// A transaction, `iglu:com.snowplowanalytics.snowplow.ecommerce/transaction/jsonschema/1-0-0`.
    ///
    /// Parameters that are nil, which is the default, are left out.
    public struct Transaction: Sendable, Hashable {
        /// The transaction as an entity.
        public let entity: Entity

        /// Creates a transaction.
        /// - Parameters:
        ///   - transactionID: The id, at most 4,096 characters.
        ///   - revenue: The revenue, in units of the currency, 0 to 9,999,999.
        ///   - currency: The currency, three characters (ISO 4217).
        ///   - paymentMethod: The method of payment, such as `card`, at most 128 characters.
        ///   - totalQuantity: The number of items, 0 to 9,999,999.
        ///   - tax: The tax, in units of the currency, 0 to 9,999,999.
        ///   - shipping: The cost of delivery, in units of the currency, 0 to 9,999,999.
        ///   - discountCode: The code of a discount, at most 99 characters.
        ///   - discountAmount: The discount, in units of the currency, 0 to 9,999,999.
        ///   - creditOrder: Whether it is on credit.
        public init(
            transactionID: String, revenue: Double, currency: String, paymentMethod: String, totalQuantity: Int,
            tax: Double? = nil, shipping: Double? = nil, discountCode: String? = nil, discountAmount: Double? = nil,
            creditOrder: Bool? = nil
        ) {
            let data = JSONObject(data: [
                "transaction_id": transactionID, "revenue": revenue.amount, "currency": currency,
                "payment_method": paymentMethod, "total_quantity": totalQuantity, "tax": tax?.amount,
                "shipping": shipping?.amount, "discount_code": discountCode, "discount_amount": discountAmount?.amount,
                "credit_order": creditOrder,
            ])
            entity = Entity(ecommerce: "transaction", data: data)
        }
    }
}
