/// The orders of each customer, the last hundred thousand of them, for as long as the process lives.
actor OrderBook {
    private static let most = 100_000

    private var orders: [Int: (customer: String?, order: Order)] = [:]
    private var last = 0

    /// All orders of a customer; nil is a visitor without an account.
    func orders(of customer: String?) -> [Order] {
        orders.values.filter { $0.customer == customer }.map(\.order).sorted { $0.id < $1.id }
    }

    func order(_ id: Int, of customer: String?) -> Order? {
        orders[id].flatMap { $0.customer == customer ? $0.order : nil }
    }

    func add(_ request: OrderRequest, of customer: String?, shippedFor offer: ShippingOffer) -> Order {
        last += 1
        let order = Order(
            id: last, item: request.item, total: request.total, shipping: offer.price(of: request.total),
            days: offer.days, isExpress: offer.isExpress)
        orders[last] = (customer, order)
        orders[last - Self.most] = nil
        return order
    }
}
