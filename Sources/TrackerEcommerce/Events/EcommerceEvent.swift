public import TrackerCore

/// An action in a shop, `iglu:com.snowplowanalytics.snowplow.ecommerce/snowplow_ecommerce_action/jsonschema/1-0-2`; its
/// entities describe the products and other values.
///
/// ```swift
/// let product = Ecommerce.Product(id: "sku-1", category: "Shoes/Sneakers", price: 59.9, currency: "EUR")
/// tracker.track(EcommerceEvent.productView(product))
/// ```
public struct EcommerceEvent: Event {
    /// The action.
    public let content: EventContent

    /// The products and other values that the action is about.
    public let entities: [Entity]

    private init(_ action: String, name: String? = nil, _ entities: [Entity]) {
        content = .selfDescribing(
            schema: "iglu:com.snowplowanalytics.snowplow.ecommerce/snowplow_ecommerce_action/jsonschema/1-0-2",
            data: JSONObject(data: ["type": action, "name": name]))
        self.entities = entities
    }

    /// Returns the view of a product.
    /// - Parameter product: The product.
    /// - Returns: The event.
    public static func productView(_ product: Ecommerce.Product) -> EcommerceEvent {
        EcommerceEvent("product_view", [product.entity])
    }

    /// Returns the view of a list of products.
    /// - Parameters:
    ///   - products: The products in the list.
    ///   - name: The name of the list, such as `search results`, at most 128 characters; nil, the default, leaves it
    ///     out.
    /// - Returns: The event.
    public static func productListView(_ products: [Ecommerce.Product], name: String? = nil) -> EcommerceEvent {
        EcommerceEvent("list_view", name: name, products.map(\.entity))
    }

    /// Returns a click on a product in a list.
    /// - Parameters:
    ///   - product: The product that was clicked.
    ///   - name: The name of the list, such as `search results`, at most 128 characters; nil, the default, leaves it
    ///     out.
    /// - Returns: The event.
    public static func productListClick(_ product: Ecommerce.Product, name: String? = nil) -> EcommerceEvent {
        EcommerceEvent("list_click", name: name, [product.entity])
    }

    /// Returns the addition of products to a cart.
    /// - Parameters:
    ///   - products: The products, each with the quantity that was added.
    ///   - cart: The cart after the change.
    /// - Returns: The event.
    public static func addToCart(_ products: [Ecommerce.Product], cart: Ecommerce.Cart) -> EcommerceEvent {
        EcommerceEvent("add_to_cart", products.map(\.entity) + [cart.entity])
    }

    /// Returns the removal of products from a cart.
    /// - Parameters:
    ///   - products: The products, each with the quantity that was removed.
    ///   - cart: The cart after the change.
    /// - Returns: The event.
    public static func removeFromCart(_ products: [Ecommerce.Product], cart: Ecommerce.Cart) -> EcommerceEvent {
        EcommerceEvent("remove_from_cart", products.map(\.entity) + [cart.entity])
    }

    /// Returns the completion of a step of the checkout.
    /// - Parameter step: The step.
    /// - Returns: The event.
    public static func checkoutStep(_ step: Ecommerce.CheckoutStep) -> EcommerceEvent {
        EcommerceEvent("checkout_step", [step.entity])
    }

    /// Returns a completed transaction.
    /// - Parameters:
    ///   - transaction: The transaction.
    ///   - products: The products that were bought; none by default.
    /// - Returns: The event.
    public static func transaction(
        _ transaction: Ecommerce.Transaction, products: [Ecommerce.Product] = []
    ) -> EcommerceEvent {
        EcommerceEvent("transaction", [transaction.entity] + products.map(\.entity))
    }

    /// Returns a failed transaction.
    /// - Parameters:
    ///   - error: The error.
    ///   - transaction: The transaction.
    /// - Returns: The event.
    public static func transactionError(
        _ error: Ecommerce.TransactionError, transaction: Ecommerce.Transaction
    ) -> EcommerceEvent {
        EcommerceEvent("trns_error", [error.entity, transaction.entity])
    }

    /// Returns the refund of a transaction, in whole or in part.
    /// - Parameters:
    ///   - refund: The refund.
    ///   - products: The products that were refunded; none by default.
    /// - Returns: The event.
    public static func refund(_ refund: Ecommerce.Refund, products: [Ecommerce.Product] = []) -> EcommerceEvent {
        EcommerceEvent("refund", [refund.entity] + products.map(\.entity))
    }

    /// Returns the view of a promotion.
    /// - Parameter promotion: The promotion.
    /// - Returns: The event.
    public static func promotionView(_ promotion: Ecommerce.Promotion) -> EcommerceEvent {
        EcommerceEvent("promo_view", [promotion.entity])
    }

    /// Returns a click on a promotion.
    /// - Parameter promotion: The promotion.
    /// - Returns: The event.
    public static func promotionClick(_ promotion: Ecommerce.Promotion) -> EcommerceEvent {
        EcommerceEvent("promo_click", [promotion.entity])
    }
}
