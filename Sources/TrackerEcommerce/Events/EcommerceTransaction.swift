public import TrackerCore

/// A completed transaction, in the form of the tracker protocol; each item is an ``EcommerceTransactionItem``.
///
/// ``EcommerceEvent/transaction(_:products:)`` is the newer form. Parameters that are nil, which is the default, are
/// left out. An event with a number that is not finite is not tracked.
public struct EcommerceTransaction: Event {
    /// The nine parameters, `tr_id` and so on.
    public let content: EventContent

    /// Creates an event.
    /// - Parameters:
    ///   - orderID: The id of the order.
    ///   - total: The total value, in units of the currency.
    ///   - affiliation: The shop or partner.
    ///   - tax: The tax that the total includes.
    ///   - shipping: The cost of delivery that the total includes.
    ///   - city: The city of delivery.
    ///   - state: The state or province of delivery.
    ///   - country: The country of delivery.
    ///   - currency: The currency, such as `EUR` (ISO 4217).
    public init(
        orderID: String, total: Double, affiliation: String? = nil, tax: Double? = nil, shipping: Double? = nil,
        city: String? = nil, state: String? = nil, country: String? = nil, currency: String? = nil
    ) {
        guard total.isFinite, tax?.isFinite != false, shipping?.isFinite != false else {
            content = .invalid(reason: "an amount of a transaction is not finite")
            return
        }
        content = .parameters(
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
