import HTTPTypes
import Hummingbird

/// Finds out who the customer is. This one believes the gateway before the service, which authenticates and sets the headers; a service
/// without a gateway checks a session or a token here.
struct CustomerLogin: RouterMiddleware {
    func handle(
        _ request: Request, context: OrdersContext, next: (Request, OrdersContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.customer = request.headers[.userID].map {
            Customer(id: $0, plan: request.headers[.plan] ?? "free")
        }
        return try await next(request, context)
    }
}

extension HTTPField.Name {
    fileprivate static let userID = Self("X-User-Id")!
    fileprivate static let plan = Self("X-Plan")!
}
