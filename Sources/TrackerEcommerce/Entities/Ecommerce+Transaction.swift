public import TrackerCore

extension Ecommerce {
    /// A transaction, `iglu:com.snowplowanalytics.snowplow.ecommerce/transaction/jsonschema/1-0-0`.
    ///
    /// Properties that are nil, which is the default, are left out.
    public struct Transaction: Sendable, Hashable {
        /// The id, at most 4,096 characters.
        public let transactionID: String

        /// The revenue, in units of the currency, 0 to 9,999,999 with at most two decimals.
        public let revenue: Double

        /// The currency, three characters (ISO 4217).
        public let currency: String

        /// The method of payment, such as `card`, at most 128 characters.
        public let paymentMethod: String

        /// The number of items, 0 to 9,999,999.
        public let totalQuantity: Int

        /// The tax, in units of the currency, 0 to 9,999,999 with at most two decimals.
        public let tax: Double?

        /// The cost of delivery, in units of the currency, 0 to 9,999,999 with at most two decimals.
        public let shipping: Double?

        /// The code of a discount, at most 99 characters.
        public let discountCode: String?

        /// The discount, in units of the currency, 0 to 9,999,999 with at most two decimals.
        public let discountAmount: Double?

        /// Whether it is on credit.
        public let creditOrder: Bool?

        /// Creates a transaction.
        /// - Parameters:
        ///   - transactionID: The id, at most 4,096 characters.
        ///   - revenue: The revenue, in units of the currency, 0 to 9,999,999 with at most two decimals.
        ///   - currency: The currency, three characters (ISO 4217).
        ///   - paymentMethod: The method of payment, such as `card`, at most 128 characters.
        ///   - totalQuantity: The number of items, 0 to 9,999,999.
        ///   - tax: The tax, in units of the currency, 0 to 9,999,999 with at most two decimals.
        ///   - shipping: The cost of delivery, in units of the currency, 0 to 9,999,999 with at most two decimals.
        ///   - discountCode: The code of a discount, at most 99 characters.
        ///   - discountAmount: The discount, in units of the currency, 0 to 9,999,999 with at most two decimals.
        ///   - creditOrder: Whether it is on credit.
        /// - Throws: ``/TrackerConfig/EventError`` if a value is outside its bounds.
        public init(
            transactionID: String, revenue: Double, currency: String, paymentMethod: String, totalQuantity: Int,
            tax: Double? = nil, shipping: Double? = nil, discountCode: String? = nil, discountAmount: Double? = nil,
            creditOrder: Bool? = nil
        ) throws(EventError) {
            let check = ValueCheck(Self.self)
            self.transactionID = try check.text(transactionID, "transactionID", atMost: 4096)
            self.revenue = try check.money(revenue, "revenue")
            self.currency = try check.currency(currency, "currency")
            self.paymentMethod = try check.text(paymentMethod, "paymentMethod", atMost: 128)
            self.totalQuantity = try check.integer(totalQuantity, "totalQuantity", in: 0...9_999_999)
            self.tax = try check.money(tax, "tax")
            self.shipping = try check.money(shipping, "shipping")
            self.discountCode = try check.text(discountCode, "discountCode", atMost: 99)
            self.discountAmount = try check.money(discountAmount, "discountAmount")
            self.creditOrder = creditOrder
        }

        /// The transaction as an entity.
        public var entity: Entity {
            let data = JSONObject(present: [
                ("transaction_id", .string(transactionID)),
                ("revenue", .double(revenue)),
                ("currency", .string(currency)),
                ("payment_method", .string(paymentMethod)),
                ("total_quantity", .int(totalQuantity)),
                ("tax", tax.map(JSONValue.double)),
                ("shipping", shipping.map(JSONValue.double)),
                ("discount_code", discountCode.map(JSONValue.string)),
                ("discount_amount", discountAmount.map(JSONValue.double)),
                ("credit_order", creditOrder.map(JSONValue.bool)),
            ])
            return Entity(
                schema: "iglu:com.snowplowanalytics.snowplow.ecommerce/transaction/jsonschema/1-0-0", data: data)
        }
    }
}
