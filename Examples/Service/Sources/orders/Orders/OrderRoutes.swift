import Hummingbird

/// What the service answers.
struct OrderRoutes: Sendable {
    let orders: OrderBook
    let shipping: Shipping

    func add(to router: Router<some RequestContext>) {
        router.get("shipping") { _, _ in shipping.offer }
        router.get("orders/:id") { _, context in
            guard let order = await orders[try context.parameters.require("id", as: Int.self)] else {
                throw HTTPError(.notFound)
            }
            return order
        }
        router.post("orders") { request, context in
            let wanted = try await request.decode(as: OrderRequest.self, context: context)
            let order = await orders.add(wanted, shippedFor: shipping.offer)
            return EditedResponse(status: .created, response: order)
        }
    }
}
