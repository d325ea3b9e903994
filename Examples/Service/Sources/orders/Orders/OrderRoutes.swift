import Foundation
import Hummingbird
import TrackerConfig

/// The routes of the service. What they track and read belongs to the request's customer, who is bound to the task.
struct OrderRoutes: Sendable {
    let setup: Setup
    let orders = OrderBook()

    func add(to router: Router<OrdersContext>) {
        router.get("shipping") { _, _ in ShippingOffer(setup) }
        router.post("orders") { request, context in
            let wanted = try await request.decode(as: OrderRequest.self, context: context)
            let order = await orders.add(wanted, of: context.customer?.id, shippedFor: ShippingOffer(setup))
            setup.track(OrderPlaced(order: order), to: "orders")
            return EditedResponse(status: .created, response: order)
        }
        router.get("orders/:id") { _, context in
            let id = try context.parameters.require("id", as: Int.self)
            guard let order = await orders.order(id, of: context.customer?.id) else { throw HTTPError(.notFound) }
            return order
        }
        router.get("orders") { _, context in
            let orders = await orders.orders(of: context.customer?.id)
            return Response(status: .ok, headers: [.contentType: "application/x-ndjson"], body: export(orders))
        }
    }

    /// One order a line, written while the client reads. The context of the request is bound here too.
    private func export(_ orders: [Order]) -> ResponseBody {
        ResponseBody { writer in
            for order in orders {
                var line = ByteBuffer(bytes: try JSONEncoder().encode(order))
                line.writeString("\n")
                try await writer.write(line)
            }
            setup.track(Structured(category: "orders", action: "export", value: Double(orders.count)), to: "orders")
            try await writer.finish(nil)
        }
    }
}
