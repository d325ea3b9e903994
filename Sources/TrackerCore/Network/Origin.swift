/// A server: scheme, host and port (RFC 6454).
package struct Origin: Sendable, Hashable, CustomStringConvertible {
    /// The scheme, in lower case.
    package let scheme: String

    /// The host in lower case, without a dot at its end. An address is in its usual form: `127.0.0.1` for `127.1`,
    /// `0x7f000001` and `2130706433`, `[::1]` for `[0:0::1]`.
    package let host: String

    /// The port, also if it is the scheme's own; 0 for a file.
    package let port: Int

    /// Creates an origin.
    /// - Parameters:
    ///   - scheme: The scheme, in lower case.
    ///   - host: The host, percent-decoded, an IPv6 address in brackets.
    ///   - port: The port; nil for the scheme's own.
    init(scheme: String, host: String, port: Int?) {
        self.scheme = scheme
        // Addresses begin with a digit or a bracket.
        let isName = host.utf8.first.map { !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || $0 == UInt8(ascii: "[")) }
        self.host = (isName == true ? nil : HostAddress(host)?.description) ?? Self.name(host)
        self.port = port ?? (scheme == "https" ? 443 : scheme == "http" ? 80 : 0)
    }

    private static func name(_ host: String) -> String {
        let name = host.lowercased()
        return name.hasSuffix(".") ? String(name.dropLast()) : name
    }

    /// The origin as a URL, without the scheme's own port.
    package var description: String {
        let isUsual = port == (scheme == "https" ? 443 : scheme == "http" ? 80 : 0)
        return "\(scheme)://\(host)\(isUsual ? "" : ":\(port)")"
    }

    /// Where a host is, as far as its name or address shows.
    package enum Reach: Sendable {
        /// This machine: `localhost`, 127.0.0.0/8, 0.0.0.0, ::1 and ::.
        case loopback
        /// A link-local address, as the metadata services of clouds have: 169.254.0.0/16, fe80::/10, fd00:ec2::254.
        case linkLocal
        /// Anywhere else.
        case elsewhere
    }

    /// Where the host is.
    package var reach: Reach {
        if let address = HostAddress(host) { return address.reach }
        let isLocal = host == "localhost" || host.hasSuffix(".localhost")
        return isLocal || host == "ip6-localhost" || host == "ip6-loopback" ? .loopback : .elsewhere
    }
}
