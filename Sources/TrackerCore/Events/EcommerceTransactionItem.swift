/// An item of a transaction, as the tracker protocol has it.
///
/// It belongs to the ``EcommerceTransaction`` of the same order. The protocol's quantity has 32 bits. What is nil, as
/// by default, is left out.
public struct EcommerceTransactionItem: Event {
    /// The id of the order, `ti_id`.
    public let orderId: String

    /// The stock-keeping unit, `ti_sk`.
    public let sku: String

    /// The price of one, in units of the currency, `ti_pr`, finite.
    public let price: Double

    /// How many there are, `ti_qu`, -2,147,483,647 to 2,147,483,647.
    public let quantity: Int

    /// The name of the product, `ti_nm`.
    public let name: String?

    /// The category of the product, `ti_ca`.
    public let category: String?

    /// The currency, as `EUR` (ISO 4217), `ti_cu`.
    public let currency: String?

    /// Creates an event.
    /// - Parameters:
    ///   - orderId: The id of the order.
    ///   - sku: The stock-keeping unit.
    ///   - price: The price of one, in units of the currency, finite.
    ///   - quantity: How many there are, -2,147,483,647 to 2,147,483,647.
    ///   - name: The name of the product.
    ///   - category: The category of the product.
    ///   - currency: The currency, as `EUR` (ISO 4217).
    /// - Throws: Where a value is outside its bounds.
    public init(
        orderId: String, sku: String, price: Double, quantity: Int, name: String? = nil, category: String? = nil,
        currency: String? = nil
    ) throws(EventError) {
        let check = ValueCheck(Self.self)
        self.orderId = orderId
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
                EventParameter("ti_id", orderId), EventParameter("ti_sk", sku),
                EventParameter("ti_pr", price.description), EventParameter("ti_qu", quantity.description),
                EventParameter("ti_nm", name), EventParameter("ti_ca", category), EventParameter("ti_cu", currency),
            ])
    }
}
