import TrackerConfig

/// Who may do what on a ``WebConsole``, and where it is.
public struct ConsoleOptions: Sendable {
    /// The path under which the console is mounted; built in: `/console`. `/` mounts it at the root.
    public var path = "/console"

    /// What the page calls the service; nil for no name.
    public var title: String?

    /// Whether features, experiments and the configuration can be changed and refreshed; built in: false.
    public var allowsChanges = false

    /// What requests must send as `Authorization: Bearer`; nil asks for nothing and answers loopback names alone. White
    /// space around it, as at the end of a file, does not count. An empty one, as from a variable of the environment that
    /// is not set, lets no request pass.
    public var token: String?

    /// The names, beside `localhost` and loopback addresses, under which browsers reach the console, without a port. Of
    /// need without a ``token``, and if a proxy forwards another `Host` than the browser's.
    public var hosts: Set<String> = []

    /// Creates options that are all built in: to look only, from this machine only.
    public init() {}
}
