public import TrackerConfig

/// A request for a ``WebConsole``, in a form that every HTTP server can provide.
public struct ConsoleRequest: Sendable {
    /// The maximum size of a body in bytes; a server need not read more.
    public static let mostBytes = 64 << 10

    /// The method, in upper case.
    public var method: String

    /// The path with the query, percent-encoded as received.
    public var path: String

    /// The headers, including `Host`.
    public var headers: [HTTPHeader]

    /// The body; empty by default.
    public var body: [UInt8]

    /// The name of the user whom the server has authenticated; nil, the default, if it has no login. If it is set, any
    /// `Host` is accepted, and the console records it as the author of each change, even if the request names another
    /// one. If it is nil, the request has to name its author. A ``ConsoleOptions/token`` is required in any case.
    public var client: String?

    /// Creates a request.
    /// - Parameters:
    ///   - method: The method, in upper case.
    ///   - path: The path with the query, percent-encoded as received.
    ///   - authority: The host, if the server has it separately from the headers, as in HTTP/2; nil by default.
    ///   - headers: The headers.
    ///   - body: The body; empty by default.
    ///   - client: The name of the user whom the server has authenticated; nil by default.
    public init(
        method: String, path: String, authority: String? = nil, headers: [HTTPHeader] = [], body: [UInt8] = [],
        client: String? = nil
    ) {
        self.method = method
        self.path = path
        self.headers = headers + (authority.map { [HTTPHeader(name: "Host", value: $0)] } ?? [])
        self.body = body
        self.client = client
    }

    /// The value of a header; nil if it is missing or occurs with different values.
    func header(_ name: String) -> String? {
        let values = headers.filter { $0.name.lowercased() == name }.map(\.value)
        return Set(values).count == 1 ? values[0] : nil
    }

    /// Whether a header occurs at least once.
    func has(_ name: String) -> Bool { headers.contains { $0.name.lowercased() == name } }

    /// Whether a name is in the query, without a value or with one that does not mean no.
    func isSet(_ name: String) -> Bool {
        guard let question = path.firstIndex(of: "?") else { return false }
        if path[path.index(after: question)...].split(separator: "&").contains(Substring(name)) { return true }
        return query(name).map { !["0", "false"].contains($0) } ?? false
    }

    /// The value of a name in the query, decoded; nil if it is missing.
    func query(_ name: String) -> String? {
        guard let question = path.firstIndex(of: "?") else { return nil }
        for pair in path[path.index(after: question)...].split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts[0] == name, parts.count == 2 { return parts[1].percentDecoded }
        }
        return nil
    }
}
