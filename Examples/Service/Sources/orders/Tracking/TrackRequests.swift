import Hummingbird
import TrackerConfig

/// Tracks each request when its response is there; that takes a microsecond and never waits.
struct TrackRequests<Context: RequestContext>: RouterMiddleware {
    private let setup: Setup

    init(_ setup: Setup) {
        self.setup = setup
    }

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        do {
            let response = try await next(request, context)
            track(request, context, response.status, since: start)
            return response
        } catch {
            track(request, context, (error as? any HTTPResponseError)?.status ?? .internalServerError, since: start)
            throw error
        }
    }

    private func track(
        _ request: Request, _ context: Context, _ status: HTTPResponse.Status, since start: ContinuousClock.Instant
    ) {
        setup.track(
            RequestServed(
                method: request.method.rawValue, route: context.endpointPath ?? "NotFound", status: status.code,
                duration: start.duration(to: .now)), to: "orders")
    }
}
