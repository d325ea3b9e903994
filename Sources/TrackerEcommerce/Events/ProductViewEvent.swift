public import TrackerCore

/// The view of a product, an action of
/// `iglu:com.snowplowanalytics.snowplow.ecommerce/snowplow_ecommerce_action/jsonschema/1-0-2`.
public struct ProductViewEvent: Event {
    /// The product.
    public var product: Ecommerce.Product

    /// Creates an event.
    /// - Parameter product: The product.
    public init(product: Ecommerce.Product) {
        self.product = product
    }

    /// The action.
    public var content: EventContent { EcommerceAction.productView.content() }

    /// The product.
    public var entities: [Entity] { [product.entity] }
}
