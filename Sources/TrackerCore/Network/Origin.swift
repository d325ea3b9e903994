import TrackerPlatform

/// A server: scheme, host and port (RFC 6454).
package struct Origin: Sendable, Hashable, CustomStringConvertible {
    /// The scheme, in lower case.
    package let scheme: String

    /// The host in lower case, without a trailing dot. An address is in its usual form: `127.0.0.1` for `127.1`,
    /// `0x7f000001` and `2130706433`, `[::1]` for `[0:0::1]`.
    package let host: String

    /// The port, even if it is the scheme's default; 0 for a file.
    package let port: Int

    /// Creates an origin.
    /// - Parameters:
    ///   - scheme: The scheme, in lower case.
    ///   - host: The host as libcurl reads it.
    ///   - port: The port; nil for the scheme's default.
    init(scheme: String, host: String, port: Int?) {
        self.scheme = scheme
        let name = host.lowercased()
        self.host = Self.address(name) ?? (name.hasSuffix(".") ? String(name.dropLast()) : name)
        self.port = port ?? Self.usualPort(scheme)
    }

    private static func usualPort(_ scheme: String) -> Int { scheme == "https" ? 443 : scheme == "http" ? 80 : 0 }

    /// The usual form of an address, which libcurl provides only for some; nil for a name.
    private static func address(_ host: String) -> String? {
        var (four, six) = (in_addr(), in6_addr())
        let isFour = inet_aton(host, &four) != 0
        guard isFour || inet_pton(AF_INET6, String(host.dropFirst().dropLast()), &six) == 1 else { return nil }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
            let (start, size) = (text.baseAddress, socklen_t(text.count))
            if isFour { return inet_ntop(AF_INET, &four, start, size).map { String(cString: $0) } }
            return inet_ntop(AF_INET6, &six, start, size).map { "[\(String(cString: $0))]" }
        }
    }

    /// The origin as a URL, without the scheme's default port.
    package var description: String {
        "\(scheme)://\(host)\(port == Self.usualPort(scheme) ? "" : ":\(port)")"
    }

    /// Whether the host is an address.
    var isAddress: Bool { Self.address(host) != nil }

    /// Whether the host is this machine: `localhost`, 127.0.0.0/8, 0.0.0.0, ::1 and ::.
    package var isLoopback: Bool {
        let hosts = ["localhost", "ip6-localhost", "ip6-loopback", "0.0.0.0", "[::ffff:0.0.0.0]", "[::1]", "[::]"]
        return hosts.contains(host) || host.hasSuffix(".localhost") || host.hasPrefix("[::ffff:127.")
            || host.hasPrefix("127.") && isAddress
    }
}
