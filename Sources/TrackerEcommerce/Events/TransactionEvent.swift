public import TrackerCore

/// A completed transaction, an action of
/// `iglu:com.snowplowanalytics.snowplow.ecommerce/snowplow_ecommerce_action/jsonschema/1-0-2`.
///
/// Properties that are nil or empty, which is the default, are left out.
public struct TransactionEvent: Event {
    /// The transaction.
    public var transaction: Ecommerce.Transaction

    /// The products that were bought.
    public var products: [Ecommerce.Product]

    /// Creates an event.
    /// - Parameters:
    ///   - transaction: The transaction.
    ///   - products: The products that were bought.
    public init(transaction: Ecommerce.Transaction, products: [Ecommerce.Product] = []) {
        self.transaction = transaction
        self.products = products
    }

    /// The action.
    public var content: EventContent { EcommerceAction.transaction.content() }

    /// The transaction and the products.
    public var entities: [Entity] { [transaction.entity] + products.map(\.entity) }
}
