/// The address of a Redis server, and its timeouts.
///
/// ```swift
/// var options = RedisOptions(host: "redis.internal")
/// options.password = ProcessInfo.processInfo.environment["REDIS_PASSWORD"]
/// options.prefix = "shop"
/// ```
public struct RedisOptions: Sendable {
    /// The address of a server.
    public enum Address: Sendable, Hashable {
        /// A host and a port. hiredis does not encrypt: use a private network or a tunnel.
        case tcp(host: String, port: Int)
        /// The path of a socket on this machine.
        case unix(path: String)
    }

    /// The address of the server.
    public var address: Address

    /// The user of Redis 6 and later; nil, the default, for the server's default user.
    public var username: String?

    /// The password; nil, the default, for none.
    public var password: String?

    /// The number of the database; 0 by default.
    public var database = 0

    /// The prefix of all keys; `trackerconfig` by default. Services whose documents have experiments with the same name
    /// need different prefixes. With Redis Cluster it should contain a hash tag, such as `{shop}`, which puts all keys
    /// into one slot.
    public var prefix = "trackerconfig"

    /// The longest time to connect, and to wait for each response; 500 ms by default, 1 ms or more. It should be
    /// shorter than the SDK's timeout of a lookup, which is 1 s.
    public var timeout: Duration = .milliseconds(500)

    /// The time for which calls fail at once after a failed connection attempt, so that they do not all wait for an
    /// unreachable server; 250 ms by default.
    public var reconnectDelay: Duration = .milliseconds(250)

    /// The time for which a unit's assignments are kept after the last of them was saved, in whole seconds; nil, the
    /// default, keeps them for ever. Less than 1 s becomes 1 s.
    public var lifetime: Duration?

    /// Creates options for a server on the network.
    /// - Parameters:
    ///   - host: The host; `127.0.0.1` by default.
    ///   - port: The port; 6379 by default.
    public init(host: String = "127.0.0.1", port: Int = 6379) {
        address = .tcp(host: host, port: port)
    }

    /// Creates options for a server on this machine.
    /// - Parameter unixSocket: The path of the server's socket.
    public init(unixSocket: String) {
        address = .unix(path: unixSocket)
    }
}
