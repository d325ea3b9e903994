public import TrackerCore

/// A completed transaction, in the form of the tracker protocol; each item is an ``EcommerceTransactionItem``.
///
/// ``TransactionEvent`` is the newer form. What is nil, as by default, is left out.
public struct EcommerceTransaction: Event {
    /// The id of the order, `tr_id`.
    public let orderID: String

    /// The total value, in units of the currency, `tr_tt`, finite.
    public let total: Double

    /// The shop or partner, `tr_af`.
    public let affiliation: String?

    /// The tax that the total includes, `tr_tx`, finite.
    public let tax: Double?

    /// The cost of delivery that the total includes, `tr_sh`, finite.
    public let shipping: Double?

    /// The city of delivery, `tr_ci`.
    public let city: String?

    /// The state or province of delivery, `tr_st`.
    public let state: String?

    /// The country of delivery, `tr_co`.
    public let country: String?

    /// The currency, such as `EUR` (ISO 4217), `tr_cu`.
    public let currency: String?

    /// Creates an event.
    /// - Parameters:
    ///   - orderID: The id of the order.
    ///   - total: The total value, in units of the currency, finite.
    ///   - affiliation: The shop or partner.
    ///   - tax: The tax that the total includes, finite.
    ///   - shipping: The cost of delivery that the total includes, finite.
    ///   - city: The city of delivery.
    ///   - state: The state or province of delivery.
    ///   - country: The country of delivery.
    ///   - currency: The currency, such as `EUR` (ISO 4217).
    /// - Throws: ``/TrackerConfig/EventError`` if a value is outside its bounds.
    public init(
        orderID: String, total: Double, affiliation: String? = nil, tax: Double? = nil, shipping: Double? = nil,
        city: String? = nil, state: String? = nil, country: String? = nil, currency: String? = nil
    ) throws(EventError) {
        let check = ValueCheck(Self.self)
        self.orderID = orderID
        self.total = try check.number(total, "total")
        self.affiliation = affiliation
        self.tax = try check.number(tax, "tax")
        self.shipping = try check.number(shipping, "shipping")
        self.city = city
        self.state = state
        self.country = country
        self.currency = currency
    }

    /// The nine parameters.
    public var content: EventContent {
        .parameters(
            .transaction,
            [
                EventParameter(name: "tr_id", value: orderID), EventParameter(name: "tr_tt", value: total.description),
                EventParameter(name: "tr_af", value: affiliation),
                EventParameter(name: "tr_tx", value: tax?.description),
                EventParameter(name: "tr_sh", value: shipping?.description), EventParameter(name: "tr_ci", value: city),
                EventParameter(name: "tr_st", value: state), EventParameter(name: "tr_co", value: country),
                EventParameter(name: "tr_cu", value: currency),
            ])
    }
}
