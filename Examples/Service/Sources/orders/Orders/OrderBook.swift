/// All orders, for as long as the process lives.
actor OrderBook {
    private var orders: [Int: Order] = [:]

    subscript(id: Int) -> Order? { orders[id] }

    func add(_ request: OrderRequest, shippedFor offer: ShippingOffer) -> Order {
        let order = Order(
            id: orders.count + 1, item: request.item, total: request.total, shipping: offer.price(of: request.total),
            days: offer.days)
        orders[order.id] = order
        return order
    }
}
