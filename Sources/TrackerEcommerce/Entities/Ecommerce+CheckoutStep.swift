public import TrackerCore

extension Ecommerce {
    /// A step of a checkout, `iglu:com.snowplowanalytics.snowplow.ecommerce/checkout_step/jsonschema/1-0-0`.
    ///
    /// Parameters that are nil, which is the default, are left out.
    public struct CheckoutStep: Sendable, Hashable {
        /// The step as an entity.
        public let entity: Entity

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
        public init(
            step: Int, shippingPostcode: String? = nil, billingPostcode: String? = nil,
            shippingFullAddress: String? = nil, billingFullAddress: String? = nil, deliveryProvider: String? = nil,
            deliveryMethod: String? = nil, couponCode: String? = nil, accountType: String? = nil,
            paymentMethod: String? = nil, proofOfPayment: String? = nil, marketingOptIn: Bool? = nil
        ) {
            let data = JSONObject(data: [
                "step": step, "shipping_postcode": shippingPostcode, "billing_postcode": billingPostcode,
                "shipping_full_address": shippingFullAddress, "billing_full_address": billingFullAddress,
                "delivery_provider": deliveryProvider, "delivery_method": deliveryMethod, "coupon_code": couponCode,
                "account_type": accountType, "payment_method": paymentMethod, "proof_of_payment": proofOfPayment,
                "marketing_opt_in": marketingOptIn,
            ])
            entity = Entity(ecommerce: "checkout_step", data: data)
        }
    }
}
