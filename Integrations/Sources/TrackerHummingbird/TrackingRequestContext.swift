public import Hummingbird
public import NIOCore

/// A request context with the address of the connection's peer, for ``TrackingMiddleware``.
///
/// ```swift
/// let router = Router(context: TrackingRequestContext.self)
/// ```
public struct TrackingRequestContext: RequestContext, RemoteAddressRequestContext {
    /// Hummingbird's own storage for the request.
    public var coreContext: CoreRequestContextStorage

    /// The address of the peer; nil for a Unix domain socket.
    public let remoteAddress: SocketAddress?

    /// Creates the context of a request.
    /// - Parameter source: The request's channel and logger.
    public init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        remoteAddress = source.channel.remoteAddress
    }
}
