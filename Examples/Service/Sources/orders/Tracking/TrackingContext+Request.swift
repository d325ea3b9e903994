import HTTPTypes
import Hummingbird
import TrackerConfig

extension TrackingContext {
    /// Whose request it is: the user that is logged in, the web session of their browser, and for whom features are read.
    convenience init(_ request: Request, from address: String?) {
        let userID = request.headers[.userID]
        let visitor = EventSubject(
            userID: userID, ipAddress: address, userAgent: request.headers[.userAgent],
            language: request.headers[.acceptLanguage].flatMap { $0.split(separator: ",").first.map(String.init) })
        // The cookie of Snowplow's JavaScript tracker, if the browser has one: the service's events join its session.
        let web = request.headers[.cookie].flatMap(EventSubject.init(cookieHeader:)) ?? EventSubject()
        self.init(
            subject: visitor.merged(over: web), evaluation: userID.map(FeatureContext.init(userID:)),
            traceID: request.headers[.traceParent].flatMap(Self.traceID))
    }

    /// The second part of `00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01` (W3C Trace Context).
    private static func traceID(of header: String) -> String? {
        let parts = header.split(separator: "-")
        return parts.count >= 4 && parts[1].count == 32 ? String(parts[1]) : nil
    }
}

extension HTTPField.Name {
    // In a service of yours it is what your authentication says.
    fileprivate static let userID = Self("X-User-Id")!
    fileprivate static let traceParent = Self("traceparent")!
}
