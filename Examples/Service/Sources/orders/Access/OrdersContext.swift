import Hummingbird
import NIOCore

/// A customer who is logged in.
struct Customer: Sendable {
    let id: String
    let plan: String
}

/// The context of a request.
struct OrdersContext: RequestContext, RemoteAddressRequestContext {
    var coreContext: CoreRequestContextStorage
    let remoteAddress: SocketAddress?
    /// The customer; nil for a visitor without an account.
    var customer: Customer?
    /// The name of the member of the staff, of whom the console records what they change.
    var staff: String?

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        remoteAddress = source.channel.remoteAddress
    }
}
