/// A URL that needs no parser: `http://` or `https://`, a host of letters, digits, `-` and `.`, perhaps a port, and a path of
/// unreserved characters and slashes. Almost all are, and a document may have thousands.
struct PlainURL {
    let scheme: String
    let host: String
    let port: Int?

    /// Reads a URL.
    /// - Returns: nil if it is any other URL, also one that cannot be used.
    init?(_ text: String) {
        var text = text
        let parts = text.withUTF8 { bytes -> (scheme: String, host: String, port: Int?)? in
            let scheme = ["https", "http"].first { bytes.starts(with: "\($0)://".utf8) }
            guard let scheme, bytes.count <= 2048 else { return nil }
            let rest = bytes[(scheme.utf8.count + 3)...]
            let host = rest.prefix { Self.isName($0) }
            // A host like `https` is most often a mistake, which has a sentence of its own.
            guard host.count > 5, host.first != UInt8(ascii: ".") else { return nil }
            var path = rest[host.endIndex...]
            var port: Int?
            if path.first == UInt8(ascii: ":") {
                let digits = path.dropFirst().prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
                port = Int(String(decoding: digits, as: UTF8.self))
                guard let port, 1...65535 ~= port else { return nil }
                path = path[digits.endIndex...]
            }
            guard path.isEmpty || path.first == UInt8(ascii: "/"), path.allSatisfy(Self.isPath) else { return nil }
            return (scheme, String(decoding: host, as: UTF8.self), port)
        }
        guard let parts else { return nil }
        (scheme, host, port) = parts
    }

    private static func isName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    private static func isPath(_ byte: UInt8) -> Bool {
        isName(byte) || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "~")
    }
}
