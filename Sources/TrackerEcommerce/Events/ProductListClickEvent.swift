public import TrackerCore

/// A click on a product in a list, an action of
/// `iglu:com.snowplowanalytics.snowplow.ecommerce/snowplow_ecommerce_action/jsonschema/1-0-2`.
///
/// Properties that are nil, which is the default, are left out.
public struct ProductListClickEvent: Event {
    /// The product that was clicked.
    public let product: Ecommerce.Product

    /// The name of the list, such as `search results`, at most 128 characters.
    public let name: String?

    /// Creates an event.
    /// - Parameters:
    ///   - product: The product that was clicked.
    ///   - name: The name of the list, such as `search results`, at most 128 characters.
    /// - Throws: ``/TrackerConfig/EventError`` if a value is outside its bounds.
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
