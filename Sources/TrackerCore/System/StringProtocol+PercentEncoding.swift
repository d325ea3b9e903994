extension StringProtocol {
    /// The text with its percent-encoded bytes decoded; nil if a `%` lacks its two digits or the result is not UTF-8.
    package var percentDecoded: String? {
        guard utf8.contains(UInt8(ascii: "%")) else { return String(self) }
        var decoded: [UInt8] = []
        decoded.reserveCapacity(utf8.count)
        var rest = Array(utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                decoded.append(byte)
                continue
            }
            guard let high = Self.digit(rest.popFirst()), let low = Self.digit(rest.popFirst()) else { return nil }
            decoded.append(high << 4 | low)
        }
        return String(validating: decoded, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8?) -> UInt8? {
        byte.flatMap { Character(Unicode.Scalar($0)).hexDigitValue }.map(UInt8.init)
    }

    /// The text in percent-encoding; only unreserved characters stay as they are.
    package var percentEncoded: String {
        utf8.map { $0.isUnreserved ? String(Unicode.Scalar($0)) : $0.percentEncoded }.joined()
    }
}

extension UInt8 {
    /// Whether any part of a URL may contain the byte unencoded: a letter, a digit or `-._~` (RFC 3986, section 2.3).
    var isUnreserved: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// The byte in percent-encoding: `%0A`.
    var percentEncoded: String { (self < 16 ? "%0" : "%") + String(self, radix: 16, uppercase: true) }
}
