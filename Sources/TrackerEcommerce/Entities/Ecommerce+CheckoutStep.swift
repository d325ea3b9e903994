public import TrackerCore

extension Ecommerce {
    /// A step of a checkout, `iglu:com.snowplowanalytics.snowplow.ecommerce/checkout_step/jsonschema/1-0-0`.
    ///
    /// Properties that are nil, which is the default, are left out.
    public struct CheckoutStep: Sendable, Hashable {
        /// The number of the step, 1 to 90.
        public let step: Int

        /// The postcode of the delivery address, at most 128 characters.
        public let shippingPostcode: String?

        /// The postcode of the billing address, at most 128 characters.
        public let billingPostcode: String?

        /// The delivery address, at most 4,096 characters.
        public let shippingFullAddress: String?

        /// The billing address, at most 4,096 characters.
        public let billingFullAddress: String?

        /// The provider of delivery, such as `DHL`, at most 128 characters.
        public let deliveryProvider: String?

        /// The method of delivery, such as `express`, at most 128 characters.
        public let deliveryMethod: String?

        /// The code of a coupon, at most 128 characters.
        public let couponCode: String?

        /// The kind of the customer's account, such as `guest`, at most 128 characters.
        public let accountType: String?

        /// The method of payment, such as `card`, at most 128 characters.
        public let paymentMethod: String?

        /// The proof of payment, such as `invoice`, at most 128 characters.
        public let proofOfPayment: String?

        /// Whether the customer agreed to marketing.
        public let marketingOptIn: Bool?

        /// Creates a step.
        /// - Parameters:
        ///   - step: The number of the step, 1 to 90.
        ///   - shippingPostcode: The postcode of the delivery address, at most 128 characters.
        ///   - billingPostcode: The postcode of the billing address, at most 128 characters.
        ///   - shippingFullAddress: The delivery address, at most 4,096 characters.
        ///   - billingFullAddress: The billing address, at most 4,096 characters.
        ///   - deliveryProvider: The provider of delivery, such as `DHL`, at most 128 characters.
        ///   - deliveryMethod: The method of delivery, such as `express`, at most 128 characters.
        ///   - couponCode: The code of a coupon, at most 128 characters.
        ///   - accountType: The kind of the customer's account, such as `guest`, at most 128 characters.
        ///   - paymentMethod: The method of payment, such as `card`, at most 128 characters.
        ///   - proofOfPayment: The proof of payment, such as `invoice`, at most 128 characters.
        ///   - marketingOptIn: Whether the customer agreed to marketing.
        /// - Throws: ``/TrackerConfig/EventError`` if a value is outside its bounds.
        public init(
            step: Int, shippingPostcode: String? = nil, billingPostcode: String? = nil,
            shippingFullAddress: String? = nil, billingFullAddress: String? = nil, deliveryProvider: String? = nil,
            deliveryMethod: String? = nil, couponCode: String? = nil, accountType: String? = nil,
            paymentMethod: String? = nil, proofOfPayment: String? = nil, marketingOptIn: Bool? = nil
        ) throws(EventError) {
            let check = ValueCheck(Self.self)
            self.step = try check.integer(step, "step", in: 1...90)
            self.shippingPostcode = try check.text(shippingPostcode, "shippingPostcode", atMost: 128)
            self.billingPostcode = try check.text(billingPostcode, "billingPostcode", atMost: 128)
            self.shippingFullAddress = try check.text(shippingFullAddress, "shippingFullAddress", atMost: 4096)
            self.billingFullAddress = try check.text(billingFullAddress, "billingFullAddress", atMost: 4096)
            self.deliveryProvider = try check.text(deliveryProvider, "deliveryProvider", atMost: 128)
            self.deliveryMethod = try check.text(deliveryMethod, "deliveryMethod", atMost: 128)
            self.couponCode = try check.text(couponCode, "couponCode", atMost: 128)
            self.accountType = try check.text(accountType, "accountType", atMost: 128)
            self.paymentMethod = try check.text(paymentMethod, "paymentMethod", atMost: 128)
            self.proofOfPayment = try check.text(proofOfPayment, "proofOfPayment", atMost: 128)
            self.marketingOptIn = marketingOptIn
        }

        /// The step as an entity.
        public var entity: Entity {
            let data = JSONObject(present: [
                ("step", .int(step)),
                ("shipping_postcode", shippingPostcode.map(JSONValue.string)),
                ("billing_postcode", billingPostcode.map(JSONValue.string)),
                ("shipping_full_address", shippingFullAddress.map(JSONValue.string)),
                ("billing_full_address", billingFullAddress.map(JSONValue.string)),
                ("delivery_provider", deliveryProvider.map(JSONValue.string)),
                ("delivery_method", deliveryMethod.map(JSONValue.string)),
                ("coupon_code", couponCode.map(JSONValue.string)),
                ("account_type", accountType.map(JSONValue.string)),
                ("payment_method", paymentMethod.map(JSONValue.string)),
                ("proof_of_payment", proofOfPayment.map(JSONValue.string)),
                ("marketing_opt_in", marketingOptIn.map(JSONValue.bool)),
            ])
            return Entity(
                schema: "iglu:com.snowplowanalytics.snowplow.ecommerce/checkout_step/jsonschema/1-0-0", data: data)
        }
    }
}
