import Hummingbird
import TrackerConfig

/// Binds each request's context, so that whatever is tracked or read below belongs to its user, and tracks the request when
/// its answer is there; to track is a microsecond's work and never waits.
struct TrackRequests<Context: RemoteAddressRequestContext>: RouterMiddleware {
    private let setup: Setup

    init(_ setup: Setup) {
        self.setup = setup
    }

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let tracking = TrackingContext(request, from: context.remoteAddress?.ipAddress)
        return try await withTrackingContext(tracking) { () async throws in
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
    }

    private func track(
        _ request: Request, _ context: Context, _ status: HTTPResponse.Status, since start: ContinuousClock.Instant
    ) {
        // Asked for each time: a document may take the tracker away and bring it back.
        setup.tracker("orders")?.track(
            RequestServed(
                method: request.method.rawValue, route: context.endpointPath ?? "NotFound", status: status.code,
                duration: start.duration(to: .now)))
    }
}
