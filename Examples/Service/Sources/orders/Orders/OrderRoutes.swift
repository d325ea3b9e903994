import HTTPTypes
import Hummingbird

/// What the service answers.
struct OrderRoutes: Sendable {
    let orders: OrderBook
    let shipping: Shipping

    func add(to router: Router<some RequestContext>) {
        router.get("shipping") { request, _ in shipping.offer(for: request.headers[.userID]) }
        router.get("orders/:id") { _, context in
            guard let order = await orders[try context.parameters.require("id", as: Int.self)] else {
                throw HTTPError(.notFound)
            }
            return order
        }
        router.post("orders") { request, context in
            let wanted = try await request.decode(as: OrderRequest.self, context: context)
            let order = await orders.add(wanted, shippedFor: shipping.offer(for: request.headers[.userID]))
            return EditedResponse(status: .created, response: order)
        }
    }
}

extension HTTPField.Name {
    fileprivate static let userID = Self("X-User-Id")!
}
