public import TrackerCore

/// The refund of a transaction, in whole or in part, an action of
/// `iglu:com.snowplowanalytics.snowplow.ecommerce/snowplow_ecommerce_action/jsonschema/1-0-2`.
///
/// Properties that are nil or empty, which is the default, are left out.
public struct RefundEvent: Event {
    /// The refund.
    public var refund: Ecommerce.Refund

    /// The products that were refunded.
    public var products: [Ecommerce.Product]

    /// Creates an event.
    /// - Parameters:
    ///   - refund: The refund.
    ///   - products: The products that were refunded.
    public init(refund: Ecommerce.Refund, products: [Ecommerce.Product] = []) {
        self.refund = refund
        self.products = products
    }

    /// The action.
    public var content: EventContent { EcommerceAction.refund.content() }

    /// The refund and the products.
    public var entities: [Entity] { [refund.entity] + products.map(\.entity) }
}
