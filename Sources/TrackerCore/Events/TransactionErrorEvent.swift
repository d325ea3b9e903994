/// A transaction failed, an action of
/// `iglu:com.snowplowanalytics.snowplow.ecommerce/snowplow_ecommerce_action/jsonschema/1-0-2`.
public struct TransactionErrorEvent: Event {
    /// The transaction.
    public var transaction: Ecommerce.Transaction

    /// Why it failed.
    public var error: Ecommerce.TransactionError

    /// Creates an event.
    /// - Parameters:
    ///   - transaction: The transaction.
    ///   - error: Why it failed.
    public init(transaction: Ecommerce.Transaction, error: Ecommerce.TransactionError) {
        self.transaction = transaction
        self.error = error
    }

    /// The action.
    public var content: EventContent { EcommerceAction.transactionError.content() }

    /// The error and the transaction.
    public var entities: [Entity] { [error.entity, transaction.entity] }
}
