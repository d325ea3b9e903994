/// A product in a list was clicked, an action of
/// `iglu:com.snowplowanalytics.snowplow.ecommerce/snowplow_ecommerce_action/jsonschema/1-0-2`.
///
/// What is nil, as by default, is left out.
public struct ProductListClickEvent: Event {
    /// The product that was clicked.
    public let product: Ecommerce.Product

    /// The name of the list, as `search results`, at most 128 characters.
    public let name: String?

    /// Creates an event.
    /// - Parameters:
    ///   - product: The product that was clicked.
    ///   - name: The name of the list, as `search results`, at most 128 characters.
    /// - Throws: Where a value is outside its bounds.
    public init(product: Ecommerce.Product, name: String? = nil) throws(EventError) {
        let check = ValueCheck(Self.self)
        self.product = product
        self.name = try check.text(name, "name", atMost: 128)
    }

    /// The action.
    public var content: EventContent { EcommerceAction.listClick.content(name: name) }

    /// The product.
    public var entities: [Entity] { [product.entity] }
}
