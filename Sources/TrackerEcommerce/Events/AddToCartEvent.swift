public import TrackerCore

/// The addition of products to a cart, an action of
/// `iglu:com.snowplowanalytics.snowplow.ecommerce/snowplow_ecommerce_action/jsonschema/1-0-2`.
public struct AddToCartEvent: Event {
    /// The products, each with the quantity that was added.
    public var products: [Ecommerce.Product]

    /// The cart after the change.
    public var cart: Ecommerce.Cart

    /// Creates an event.
    /// - Parameters:
    ///   - products: The products, each with the quantity that was added.
    ///   - cart: The cart after the change.
    public init(products: [Ecommerce.Product], cart: Ecommerce.Cart) {
        self.products = products
        self.cart = cart
    }

    /// The action.
    public var content: EventContent { EcommerceAction.addToCart.content() }

    /// The products and the cart.
    public var entities: [Entity] { products.map(\.entity) + [cart.entity] }
}
