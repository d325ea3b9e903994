import DocumentTools
public import TrackerConfig
import TrackerCore

/// A web page that shows the effective settings of a `Setup` with their sources, and the events of its trackers. If it
/// is allowed, it also changes features and experiments.
///
/// It is a function from request to response, so it can be mounted in any HTTP server under ``ConsoleOptions/path``.
///
/// ```swift
/// var options = ConsoleOptions()
/// options.token = ProcessInfo.processInfo.environment["CONSOLE_TOKEN"]
/// let console = WebConsole(setup, options: options)
/// let response = await console.respond(to: ConsoleRequest(method: "GET", path: "/console/"))
/// ```
///
/// For other programs there are `health` (200 or 503; `?strict` also considers failing trackers), `metrics` for
/// Prometheus, `status`, `configuration`, and `ofrep/v1/evaluate/flags` of the OpenFeature Remote Evaluation Protocol.
/// The same access rules apply to them: a probe sends the token, or, if there is no token, a `Host` that is loopback or
/// one of ``ConsoleOptions/hosts``.
///
/// Known secrets are left out: encrypted variables, the values of headers, and passwords and queries of URLs. A
/// document's `meta` and the data of events are shown unchanged.
///
/// By default it is read-only, and without a token it answers only to loopback names. It costs the service nothing
/// while no page is open.
public struct WebConsole: Sendable {
    let setup: Setup
    let options: ConsoleOptions
    let streams = CapacityLimit()
    /// Separate from the pages' places, so that clients of flags cannot use them up.
    let flagStreams = CapacityLimit()
    private let access: ConsoleAccess

    /// The path of ``ConsoleOptions/path``, with a slash at its beginning and none at its end; empty at the root.
    public let path: String

    /// Creates a console.
    /// - Parameters:
    ///   - setup: The setup that the console shows; the console keeps a reference to it.
    ///   - options: The access rules and the path; by default read-only, and only for requests from this machine.
    public init(_ setup: Setup, options: ConsoleOptions = ConsoleOptions()) {
        self.setup = setup
        self.options = options
        access = ConsoleAccess(options)
        path = options.path.split(separator: "/").map { "/\($0)" }.joined()
    }

    /// Responds to a request, off the caller's thread.
    /// - Parameter request: A request for a path under ``ConsoleOptions/path``.
    /// - Returns: The response; a refused request gets a status of 400 or more and a sentence.
    @concurrent
    public func respond(to request: ConsoleRequest) async -> ConsoleResponse {
        do throws(ConsoleError) {
            let route = try ConsoleRoute(request.method, request.path, mount: path)
            try access.check(request, for: route)
            // The page shows the service's state, not that of the current request.
            return try await withTrackingContext(nil) { () async throws(ConsoleError) in
                try await answer(route, request)
            }
        } catch {
            return ConsoleResponse(error)
        }
    }

    private func answer(_ route: ConsoleRoute, _ request: ConsoleRequest) async throws(ConsoleError) -> ConsoleResponse
    {
        switch route {
        case .redirect(let location): ConsoleResponse(308, [HTTPHeader(name: "Location", value: location)], .bytes([]))
        case .page: .page
        case .trackers: ConsoleResponse(json: try settings(request))
        case .features: ConsoleResponse(json: features)
        case .difference: ConsoleResponse(json: difference(request))
        case .live: ConsoleResponse(json: live(after: request.query("after").flatMap(LiveFeed.Cursor.init)).json)
        case .stream: request.method == "HEAD" ? try stream().head : try stream()
        case .assignments: ConsoleResponse(json: try assignments(request.body))
        case .explanation: ConsoleResponse(json: try explanation(request.body))
        case .health: health(isStrict: request.isSet("strict"))
        case .metrics: metrics
        case .status: ConsoleResponse(json: status(request))
        case .configuration: configuration
        case .flags(let key?): evaluateFlag(key, request)
        case .flags(nil): evaluateFlags(request)
        case .flagEvents: request.method == "HEAD" ? try flagEvents(request).head : try flagEvents(request)
        case .change(let change): ConsoleResponse(json: try await perform(change, request))
        }
    }
}
