public import TrackerCore

/// A failed transaction, an action of
/// `iglu:com.snowplowanalytics.snowplow.ecommerce/snowplow_ecommerce_action/jsonschema/1-0-2`.
public struct TransactionErrorEvent: Event {
    /// The transaction.
    public var transaction: Ecommerce.Transaction

    /// The error.
    public var error: Ecommerce.TransactionError

    /// Creates an event.
    /// - Parameters:
    ///   - transaction: The transaction.
    ///   - error: The error.
    public init(transaction: Ecommerce.Transaction, error: Ecommerce.TransactionError) {
        self.transaction = transaction
        self.error = error
    }

    /// The action.
    public var content: EventContent { EcommerceAction.transactionError.content() }

    /// The error and the transaction.
    public var entities: [Entity] { [error.entity, transaction.entity] }
}
