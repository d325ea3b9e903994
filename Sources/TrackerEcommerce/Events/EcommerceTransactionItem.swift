public import TrackerCore

/// An item of a transaction, in the form of the tracker protocol.
///
/// It belongs to the ``EcommerceTransaction`` of the same order. The protocol's quantity has 32 bits. What is nil, as
/// by default, is left out.
public struct EcommerceTransactionItem: Event {
    /// The id of the order, `ti_id`.
    public let orderID: String

    /// The stock-keeping unit, `ti_sk`.
    public let sku: String

    /// The price of one item, in units of the currency, `ti_pr`, finite.
    public let price: Double

    /// The quantity, `ti_qu`, -2,147,483,647 to 2,147,483,647.
    public let quantity: Int

    /// The name of the product, `ti_nm`.
    public let name: String?

    /// The category of the product, `ti_ca`.
    public let category: String?

    /// The currency, such as `EUR` (ISO 4217), `ti_cu`.
    public let currency: String?

    /// Creates an event.
    /// - Parameters:
    ///   - orderID: The id of the order.
    ///   - sku: The stock-keeping unit.
    ///   - price: The price of one item, in units of the currency, finite.
    ///   - quantity: The quantity, -2,147,483,647 to 2,147,483,647.
    ///   - name: The name of the product.
    ///   - category: The category of the product.
    ///   - currency: The currency, such as `EUR` (ISO 4217).
    /// - Throws: ``/TrackerConfig/EventError`` if a value is outside its bounds.
    public init(
        orderID: String, sku: String, price: Double, quantity: Int, name: String? = nil, category: String? = nil,
        currency: String? = nil
    ) throws(EventError) {
        let check = ValueCheck(Self.self)
        self.orderID = orderID
        self.sku = sku
        self.price = try check.number(price, "price")
        self.quantity = try check.integer(quantity, "quantity", in: -2_147_483_647...2_147_483_647)
        self.name = name
        self.category = category
        self.currency = currency
    }

    /// The seven parameters.
    public var content: EventContent {
        .parameters(
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
