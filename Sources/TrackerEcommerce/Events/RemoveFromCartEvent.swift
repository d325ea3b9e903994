public import TrackerCore

/// The removal of products from a cart, an action of
/// `iglu:com.snowplowanalytics.snowplow.ecommerce/snowplow_ecommerce_action/jsonschema/1-0-2`.
public struct RemoveFromCartEvent: Event {
    /// The products, each with the quantity that was removed.
    public var products: [Ecommerce.Product]

    /// The cart after the change.
    public var cart: Ecommerce.Cart

    /// Creates an event.
    /// - Parameters:
    ///   - products: The products, each with the quantity that was removed.
    ///   - cart: The cart after the change.
    public init(products: [Ecommerce.Product], cart: Ecommerce.Cart) {
        self.products = products
        self.cart = cart
    }

    /// The action.
    public var content: EventContent { EcommerceAction.removeFromCart.content() }

    /// The products and the cart.
    public var entities: [Entity] { products.map(\.entity) + [cart.entity] }
}
