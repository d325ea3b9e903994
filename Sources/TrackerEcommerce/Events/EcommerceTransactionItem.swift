public import TrackerCore

/// An item of a transaction, in the form of the tracker protocol.
///
/// It belongs to the ``EcommerceTransaction`` of the same order. Parameters that are nil, which is the default, are
/// left out. An event with a price that is not finite is not tracked; Snowplow rejects one with a quantity outside its
/// bounds.
public struct EcommerceTransactionItem: Event {
    /// The seven parameters, `ti_id` and so on.
    public let content: EventContent

    /// Creates an event.
    /// - Parameters:
    ///   - orderID: The id of the order.
    ///   - sku: The stock-keeping unit.
    ///   - price: The price of one item, in units of the currency.
    ///   - quantity: The quantity, -2,147,483,647 to 2,147,483,647.
    ///   - name: The name of the product.
    ///   - category: The category of the product.
    ///   - currency: The currency, such as `EUR` (ISO 4217).
    public init(
        orderID: String, sku: String, price: Double, quantity: Int, name: String? = nil, category: String? = nil,
        currency: String? = nil
    ) {
        guard price.isFinite else {
            content = .invalid(reason: "the price of an item is not finite")
            return
        }
        content = .parameters(
            .transactionItem,
            [
                EventParameter(name: "ti_id", value: orderID), EventParameter(name: "ti_sk", value: sku),
                EventParameter(name: "ti_pr", value: price.description),
                EventParameter(name: "ti_qu", value: quantity.description),
                EventParameter(name: "ti_nm", value: name), EventParameter(name: "ti_ca", value: category),
                EventParameter(name: "ti_cu", value: currency),
            ])
    }
}
