import TrackerConfig

/// The access rules and the path of a ``WebConsole``.
public struct ConsoleOptions: Sendable {
    /// The path under which the console is mounted; built in: `/console`. `/` mounts it at the root.
    public var path = "/console"

    /// The name of the service on the page; nil for none.
    public var title: String?

    /// Whether features, experiments and the configuration can be changed and refreshed; built in: false.
    ///
    /// If it is false, evaluations of flags with `exposure` are rejected with 403 too, because they would track an
    /// exposure and store an assignment. Evaluations without `exposure` are always allowed.
    ///
    /// An override names its author, as `"by": "dana"` or by ``ConsoleRequest/client``, and expires after 4 hours
    /// unless its `"expiry"` is another number of seconds, a date or `"never"`.
    public var allowsChanges = false

    /// The token that requests must send as `Authorization: Bearer` or `X-API-Key`. If it is nil, requests need no
    /// token, but a ``ConsoleRequest/client``, or a `Host` that is a loopback name or one of ``hosts``. White space
    /// around it, such as at the end of a file, is ignored. An empty token, such as from an unset environment variable,
    /// rejects every request.
    public var token: String?

    /// The host names, in addition to `localhost` and loopback addresses, under which browsers reach the console,
    /// without a port. They are needed if there is no ``token``, or if a proxy forwards another `Host` than the
    /// browser's.
    public var hosts: Set<String> = []

    /// Creates options with the default values: read-only, and only for requests from this machine.
    public init() {}
}
