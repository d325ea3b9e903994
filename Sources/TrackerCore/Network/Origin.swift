import Glibc

/// A server: scheme, host and port (RFC 6454).
package struct Origin: Sendable, Hashable, CustomStringConvertible {
    /// The scheme, in lower case.
    package let scheme: String

    /// The host in lower case, without a dot at its end. An address is in its usual form: `127.0.0.1` for `127.1`,
    /// `0x7f000001` and `2130706433`, `[::1]` for `[0:0::1]`. A libcurl older than 7.77 leaves an IPv4 address as it is written.
    package let host: String

    /// The port, also if it is the scheme's own; 0 for a file.
    package let port: Int

    /// Creates an origin.
    /// - Parameters:
    ///   - scheme: The scheme, in lower case.
    ///   - host: The host as libcurl reads it.
    ///   - port: The port; nil for the scheme's own.
    init(scheme: String, host: String, port: Int?) {
        self.scheme = scheme
        let name = host.lowercased()
        self.host = name.hasPrefix("[") ? Self.shortest(name) : name.hasSuffix(".") ? String(name.dropLast()) : name
        self.port = port ?? Self.usualPort(scheme)
    }

    private static func usualPort(_ scheme: String) -> Int { scheme == "https" ? 443 : scheme == "http" ? 80 : 0 }

    /// The usual form of an IPv6 address in brackets, of which libcurl keeps some other forms.
    private static func shortest(_ host: String) -> String {
        var address = in6_addr()
        guard inet_pton(AF_INET6, String(host.dropFirst().dropLast()), &address) == 1 else { return host }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
            inet_ntop(AF_INET6, &address, text.baseAddress, socklen_t(text.count)).map { "[\(String(cString: $0))]" }
        } ?? host
    }

    /// The origin as a URL, without the scheme's own port.
    package var description: String {
        "\(scheme)://\(host)\(port == Self.usualPort(scheme) ? "" : ":\(port)")"
    }

    /// Whether the host is an address.
    var isAddress: Bool {
        host.hasPrefix("[")
            || host.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ".") }
    }

    /// Whether the host is this machine: `localhost`, 127.0.0.0/8, 0.0.0.0, ::1 and ::.
    package var isLoopback: Bool {
        let hosts = ["localhost", "ip6-localhost", "ip6-loopback", "0.0.0.0", "[::ffff:0.0.0.0]", "[::1]", "[::]"]
        return hosts.contains(host) || host.hasSuffix(".localhost") || host.hasPrefix("[::ffff:127.")
            || isAddress && host.hasPrefix("127.")
    }
}
