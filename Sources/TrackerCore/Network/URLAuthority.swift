import Foundation

/// The part of an `http` or `https` URL that names the server. It is read by the same narrow rules for every transport, so
/// that the host that is checked is the host that is connected to.
struct URLAuthority {
    /// The whole URL, with the host in ASCII.
    let url: String
    /// The host, percent-decoded.
    let host: String
    let port: Int?

    init(of url: String, converted: String?) throws(UnusableURL) {
        guard let separator = url.firstRange(of: "://") else { throw UnusableURL("it is not well formed") }
        let end = url[separator.upperBound...].firstIndex { "/?#".contains($0) } ?? url.endIndex
        let authority = url[separator.upperBound..<end]
        let at = authority.firstIndex(of: "@")
        guard at == authority.lastIndex(of: "@") else { throw UnusableURL("it contains more than one '@'") }
        let server = authority[(at.map { authority.index(after: $0) } ?? authority.startIndex)...]
        // In brackets, colons belong to the address.
        let colon = server[(server.lastIndex(of: "]") ?? server.startIndex)...].firstIndex(of: ":")
        let written = server[..<(colon ?? server.endIndex)]
        guard !written.isEmpty else { throw UnusableURL("it names no host") }
        port = try colon.map { (colon) throws(UnusableURL) in try Self.port(server[colon...].dropFirst()) } ?? nil
        let isASCII = written.utf8.allSatisfy { $0 < 0x80 }
        let ascii = isASCII ? String(written) : converted ?? ""
        guard let host = ascii.removingPercentEncoding, Self.isHost(host) else {
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

    private static func port(_ text: Substring) throws(UnusableURL) -> Int? {
        if text.isEmpty { return nil }
        // A port with too many digits is none to Foundation, and libcurl would refuse each request.
        guard text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let port = Int(text), 1...65535 ~= port else {
            throw UnusableURL("its port is not in 1…65535")
        }
        return port
    }

    private static func isHost(_ text: String) -> Bool {
        if text.hasPrefix("[") { return HostAddress(text) != nil }
        guard text != "." else { return false }
        return !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                    UInt8(ascii: "~"):
                    true
                default: false
                }
            }
    }
}
