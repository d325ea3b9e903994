/// The part of an `http` or `https` URL that names the server. It is read by the same narrow rules for every transport, so
/// that the host that is checked is the host that is connected to.
struct URLAuthority {
    /// The whole URL, with the host in ASCII.
    let url: String
    /// The host, percent-decoded.
    let host: String
    let port: Int?

    init(of url: String) throws(UnusableURL) {
        guard let authority = Self.authority(in: url) else { throw UnusableURL("it is not well formed") }
        guard authority.utf8.count(where: { $0 == UInt8(ascii: "@") }) < 2 else {
            throw UnusableURL("it contains more than one '@'")
        }
        let written = Self.host(in: authority)
        guard !written.isEmpty else { throw UnusableURL("it names no host") }
        port = try Self.port(authority[written.endIndex...].dropFirst())
        let isASCII = written.utf8.allSatisfy { $0 < 0x80 }
        let ascii = isASCII ? String(written) : InternationalHost.ascii(written)
        guard let ascii, let host = ascii.percentDecoded, Self.isHost(host) else {
            throw UnusableURL(
                isASCII
                    ? "its host is neither a name nor an address"
                    : "its host cannot be converted to ASCII; write it in Punycode, as 'xn--bcher-kva.example'")
        }
        guard !["http", "https", "file"].contains(host.lowercased()) else {
            throw UnusableURL("its host is '\(host)'; '://' may be written wrongly")
        }
        self.host = host
        self.url = isASCII ? url : "\(url[..<written.startIndex])\(ascii)\(url[written.endIndex...])"
    }

    /// The host as a URL has it, an IPv6 address in brackets; nil if the URL has no authority.
    static func host(in url: String) -> Substring? {
        authority(in: url).map { host(in: $0) }
    }

    // Delimiters are searched for among bytes, as libcurl does: with a combining character after it, a '/' is another
    // `Character`.

    private static func authority(in url: String) -> Substring? {
        let bytes = url.utf8
        // Without the ':' of a scheme before it, "//" begins the URL.
        guard let slash = bytes.firstIndex(of: UInt8(ascii: "/")), bytes[slash...].starts(with: "//".utf8),
            slash == bytes.startIndex || bytes[bytes.index(before: slash)] == UInt8(ascii: ":")
        else { return nil }
        return Substring(
            bytes[bytes.index(slash, offsetBy: 2)...].prefix { byte in
                byte != UInt8(ascii: "/") && byte != UInt8(ascii: "?") && byte != UInt8(ascii: "#")
            })
    }

    private static func host(in authority: Substring) -> Substring {
        let bytes = authority.utf8
        let server = bytes[(bytes.lastIndex(of: UInt8(ascii: "@")).map(bytes.index(after:)) ?? bytes.startIndex)...]
        // In brackets, colons belong to the address.
        let end = server[(server.lastIndex(of: UInt8(ascii: "]")) ?? server.startIndex)...]
            .firstIndex(of: UInt8(ascii: ":"))
        return Substring(server[..<(end ?? server.endIndex)])
    }

    private static func port(_ text: Substring) throws(UnusableURL) -> Int? {
        if text.isEmpty { return nil }
        // A port with too many digits is none to `URLComponents`, and libcurl would refuse each request.
        guard text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let port = Int(text), 1...65535 ~= port else {
            throw UnusableURL("its port is not in 1…65535")
        }
        return port
    }

    private static func isHost(_ text: String) -> Bool {
        if text.hasPrefix("[") { return HostAddress(text) != nil }
        return !text.isEmpty && text != "." && text.utf8.allSatisfy(\.isUnreserved)
    }
}
