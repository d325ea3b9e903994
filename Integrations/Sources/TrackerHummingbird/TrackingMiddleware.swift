import HTTPTypes
public import Hummingbird
public import TrackerConfig

/// A middleware that binds a tracking context to each request, so that events and features of the request belong to its
/// user.
///
/// ```swift
/// router.add(
///     middleware: TrackingMiddleware { request, context in
///         context.identity?.userID
///     } evaluation: { request, context, evaluation in
///         evaluation.attributes["plan"] = context.identity.map { .string($0.plan) }
///     })
/// router.post("orders") { request, context in
///     setup.tracker("shop")?.track(Structured(category: "order", action: "create"))   // of the user
///     …
/// }
/// ```
///
/// The subject has the user's id, the first language of `Accept-Language`, and the ids of the web session from the
/// cookie of Snowplow's JavaScript tracker (`_sp_id.…`); optionally also the client's address and user agent. Features
/// and experiments are evaluated for the user (the unit `userId`), the cookie's visitor (the unit `domainUserId`), the
/// language, and the values that a closure adds. ``Sampling`` by trace uses the header `traceparent`.
///
/// The context is also bound while the response's body is written, so that events of a stream have the user's id too.
public struct TrackingMiddleware<Context: RequestContext>: RouterMiddleware {
    private let sendsAddress: Bool
    private let sendsUserAgent: Bool
    private let trustedProxies: TrustedProxies
    private let user: @Sendable (Request, Context) -> String?
    private let evaluation: @Sendable (Request, Context, inout FeatureContext) -> Void

    /// Creates a middleware.
    /// - Parameters:
    ///   - sendsAddress: Whether events have the client's address; false by default. It is known if the router's
    ///     context conforms to `RemoteAddressRequestContext`, as ``TrackingRequestContext`` does, or if a trusted proxy
    ///     sends it.
    ///   - sendsUserAgent: Whether events have the client's user agent; false by default.
    ///   - trustedProxies: The proxies whose `X-Forwarded-For` is trusted; none by default.
    ///   - user: Returns the id of the user from the request's authentication; nil for none. It should not trust a
    ///     header of the client.
    ///   - evaluation: Adds attributes, a country or overrides to the context of the evaluation, which already has
    ///     units and language; adds nothing by default. Responses to requests with overrides must not be cached, so
    ///     they get `Cache-Control: private, no-store`.
    public init(
        sendsAddress: Bool = false, sendsUserAgent: Bool = false, trustedProxies: TrustedProxies = .none,
        user: @escaping @Sendable (_ request: Request, _ context: Context) -> String?,
        evaluation:
            @escaping @Sendable (
                _ request: Request, _ context: Context, _ evaluation: inout FeatureContext
            ) -> Void = { _, _, _ in }
    ) {
        (self.sendsAddress, self.sendsUserAgent) = (sendsAddress, sendsUserAgent)
        (self.trustedProxies, self.user, self.evaluation) = (trustedProxies, user, evaluation)
    }

    /// Handles a request with its tracking context.
    /// - Parameters:
    ///   - request: The request.
    ///   - context: The router's context.
    ///   - next: The next handler.
    /// - Returns: The response of the next handler.
    /// - Throws: The error of the next handler.
    @concurrent
    public func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        let tracking = trackingContext(request, context)
        var response = try await withTrackingContext(tracking) { () async throws in try await next(request, context) }
        // The server writes the body after this function has returned.
        let body = response.body
        response.body = ResponseBody(contentLength: body.contentLength) { writer in
            // Only the body uses the writer, on one task.
            nonisolated(unsafe) let writer = writer
            try await withTrackingContext(tracking) { () async throws in try await body.write(writer) }
        }
        // Caches between client and service ignore the header or cookie with the overrides, so they must not store the
        // response.
        if tracking.evaluation?.overrides != nil { response.headers[.cacheControl] = "private, no-store" }
        return response
    }

    private func trackingContext(_ request: Request, _ context: Context) -> TrackingContext {
        let user = user(request, context)
        let language = request.headers[.acceptLanguage]?.split { $0 == "," || $0 == ";" }.first.map(String.init)
        var subject = EventSubject(userID: user, language: language)
        if sendsAddress {
            let peer = (context as? any RemoteAddressRequestContext)?.remoteAddress?.ipAddress
            subject.ipAddress = trustedProxies.client(of: peer, forwardedFor: request.headers[values: .forwardedFor])
        }
        if sendsUserAgent { subject.userAgent = request.headers[.userAgent] }
        let web = request.headers[.cookie].flatMap(EventSubject.init(cookieHeader:)) ?? EventSubject()
        var units: [String: String] = [:]
        units["userId"] = user
        units["domainUserId"] = web.domainUserID
        var evaluation = FeatureContext(units: units, language: language)
        self.evaluation(request, context, &evaluation)
        return TrackingContext(
            subject: subject.merged(over: web), evaluation: evaluation == FeatureContext() ? nil : evaluation,
            traceID: request.headers[.traceParent].flatMap(Self.traceID))
    }

    /// The trace id, the second part of `00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01` (W3C Trace Context).
    private static func traceID(of header: String) -> String? {
        let parts = header.split(separator: "-")
        return parts.count >= 4 && parts[1].utf8.count == 32 ? String(parts[1]) : nil
    }
}

extension HTTPField.Name {
    fileprivate static let forwardedFor = Self("X-Forwarded-For")!
    fileprivate static let traceParent = Self("traceparent")!
}
