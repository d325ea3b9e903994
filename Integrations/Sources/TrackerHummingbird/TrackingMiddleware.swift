import HTTPTypes
public import Hummingbird
public import TrackerConfig

/// A middleware that binds a tracking context to each request, so that events and features of the request belong to its
/// user.
///
/// ```swift
/// let proxies = try TrustedProxies(["10.0.0.0/8"])
/// router.add(middleware: TrackingMiddleware(trustedProxies: proxies) { request, context in context.identity?.userID })
/// router.post("orders") { request, context in
///     setup.tracker("shop")?.track(Structured(category: "order", action: "create"))   // of the user
///     …
/// }
/// ```
///
/// The subject has the user's id, the client's address, the user agent, the first language of `Accept-Language`, and the ids of
/// the web session from the cookie of Snowplow's JavaScript tracker (`_sp_id.…`). Features and experiments are evaluated for
/// the user, as the unit `userId`, and for the cookie's visitor, as the unit `domainUserId`. ``Sampling`` by trace follows the
/// header `traceparent`.
///
/// The address is known if the router's context conforms to `RemoteAddressRequestContext`, as ``TrackingRequestContext`` does,
/// or if a trusted proxy names it.
public struct TrackingMiddleware<Context: RequestContext>: RouterMiddleware {
    private let trustedProxies: TrustedProxies
    private let overrides: SignedOverrides?
    private let user: @Sendable (Request, Context) -> String?

    /// Creates a middleware.
    /// - Parameters:
    ///   - trustedProxies: The proxies whose `X-Forwarded-For` is trusted; none by default.
    ///   - overrides: What reads the overrides of testers from requests; nil, the default, ignores them. The
    ///     response to a request with overrides is not to be cached (`Cache-Control: private, no-store`).
    ///   - user: Returns the id of the user from the request's authentication; nil for none. It should not trust a
    ///     header of the client.
    public init(
        trustedProxies: TrustedProxies = .none, overrides: SignedOverrides? = nil,
        user: @escaping @Sendable (_ request: Request, _ context: Context) -> String?
    ) {
        (self.trustedProxies, self.overrides, self.user) = (trustedProxies, overrides, user)
    }

    /// Handles a request with its tracking context.
    /// - Parameters:
    ///   - request: The request.
    ///   - context: The router's context.
    ///   - next: What handles the request.
    /// - Returns: Its response.
    /// - Throws: What it throws.
    @concurrent
    public func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        let peer = (context as? any RemoteAddressRequestContext)?.remoteAddress?.ipAddress
        let address = trustedProxies.client(of: peer, forwardedFor: request.headers[values: .forwardedFor])
        let overrides = overrides?.overrides(of: request, logger: context.logger)
        let tracking = TrackingContext(
            request, user: user(request, context), address: address, overrides: overrides)
        var response = try await withTrackingContext(tracking) { () async throws in try await next(request, context) }
        // What a tester sees is no one else's: a cache before the service knows no header and no cookie.
        if overrides != nil { response.headers[.cacheControl] = "private, no-store" }
        return response
    }
}

extension TrackingContext {
    /// Creates the context of a request.
    /// - Parameters:
    ///   - request: The request.
    ///   - user: The id of its user; nil for none.
    ///   - address: The address of its client; nil if it is unknown.
    ///   - overrides: What its tester overrides; nil, the default, for nothing.
    public convenience init(
        _ request: Request, user: String?, address: String?, overrides: RequestOverrides? = nil
    ) {
        let language = request.headers[.acceptLanguage]?.split { $0 == "," || $0 == ";" }.first.map(String.init)
        let visitor = EventSubject(
            userID: user, ipAddress: address, userAgent: request.headers[.userAgent], language: language)
        let web = request.headers[.cookie].flatMap(EventSubject.init(cookieHeader:)) ?? EventSubject()
        var units: [String: String] = [:]
        units["userId"] = user
        units["domainUserId"] = web.domainUserID
        var evaluation = FeatureContext(units: units, language: language)
        evaluation.overrides = overrides
        self.init(
            subject: visitor.merged(over: web),
            evaluation: units.isEmpty && overrides == nil ? nil : evaluation,
            traceID: request.headers[.traceParent].flatMap(Self.traceID))
    }

    /// The second part of `00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01` (W3C Trace Context).
    private static func traceID(of header: String) -> String? {
        let parts = header.split(separator: "-")
        return parts.count >= 4 && parts[1].utf8.count == 32 ? String(parts[1]) : nil
    }
}

extension HTTPField.Name {
    fileprivate static let forwardedFor = Self("X-Forwarded-For")!
    fileprivate static let traceParent = Self("traceparent")!
}
