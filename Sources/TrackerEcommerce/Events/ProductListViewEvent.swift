public import TrackerCore

/// The view of a list of products, an action of
/// `iglu:com.snowplowanalytics.snowplow.ecommerce/snowplow_ecommerce_action/jsonschema/1-0-2`.
///
/// Properties that are nil, which is the default, are left out.
public struct ProductListViewEvent: Event {
    /// The products in the list.
    public let products: [Ecommerce.Product]

    /// The name of the list, such as `search results`, at most 128 characters.
    public let name: String?

    /// Creates an event.
    /// - Parameters:
    ///   - products: The products in the list.
    ///   - name: The name of the list, such as `search results`, at most 128 characters.
    /// - Throws: ``/TrackerConfig/EventError`` if a value is outside its bounds.
    public init(products: [Ecommerce.Product], name: String? = nil) throws(EventError) {
        let check = ValueCheck(Self.self)
        self.products = products
        self.name = try check.text(name, "name", atMost: 128)
    }

    /// The action.
    public var content: EventContent { EcommerceAction.listView.content(name: name) }

    /// The products.
    public var entities: [Entity] { products.map(\.entity) }
}
