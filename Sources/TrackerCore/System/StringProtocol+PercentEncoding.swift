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
