import Foundation
import HTTPTypes
import Hummingbird

/// Lets only staff pass, by HTTP's basic authentication. A service of yours has its login here.
struct StaffLogin: RouterMiddleware {
    /// Passwords by name. Without any, the console shows itself to this machine alone.
    let passwords: [String: String]

    func handle(
        _ request: Request, context: OrdersContext, next: (Request, OrdersContext) async throws -> Response
    ) async throws -> Response {
        if passwords.isEmpty { return try await next(request, context) }
        guard let name = name(in: request.headers[.authorization] ?? "") else {
            throw HTTPError(.unauthorized, headers: [.wwwAuthenticate: #"Basic realm="staff""#])
        }
        var context = context
        context.staff = name
        return try await next(request, context)
    }

    private func name(in header: String) -> String? {
        guard header.hasPrefix("Basic "), let data = Data(base64Encoded: String(header.dropFirst(6))) else {
            return nil
        }
        let parts = String(decoding: data, as: UTF8.self).split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2, let password = passwords[parts[0]], isEqual(password, parts[1]) else { return nil }
        return parts[0]
    }

    /// Compares in a time that does not depend on where the texts differ.
    private func isEqual(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count && zip(left.utf8, right.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
