/// The addresses of an etcd cluster, and its timeout.
///
/// ```swift
/// var options = EtcdOptions(endpoints: ["https://etcd-1.internal:2379", "https://etcd-2.internal:2379"])
/// options.certificateFile = "/etc/ssl/etcd.pem"
/// (options.username, options.password) = ("shop", environment["ETCD_PASSWORD"])
/// ```
public struct EtcdOptions: Sendable {
    /// The client URLs of the members, without a path. If a member does not answer, the next one is tried.
    public var endpoints: [String]

    /// The user; nil, the default, for a cluster without authentication.
    public var username: String?

    /// The user's password; nil, the default, for none.
    public var password: String?

    /// The path of a PEM file with certificates to trust instead of the system's; nil, the default, for the system's.
    public var certificateFile: String?

    /// The longest time to wait for an answer of one member; 5 s by default.
    public var timeout: Duration = .seconds(5)

    /// Creates options.
    /// - Parameter endpoints: The client URLs of the members; `http://127.0.0.1:2379` by default.
    public init(endpoints: [String] = ["http://127.0.0.1:2379"]) {
        self.endpoints = endpoints
    }
}
