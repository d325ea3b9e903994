extension Substring {
    /// The text with `%41` as `A`, and with `+` as a space if asked for; all other text stays.
    func percentDecoded(plusIsSpace: Bool = false) -> String {
        let percent = UInt8(ascii: "%")
        let plus = UInt8(ascii: "+")
        guard utf8.contains(where: { $0 == percent || $0 == plus }) else { return String(self) }

        var decoded: [UInt8] = []
        decoded.reserveCapacity(utf8.count)
        var rest = utf8[...]
        while let byte = rest.popFirst() {
            let escape = rest.prefix(2)
            if byte == percent, escape.count == 2, escape.allSatisfy(\.isHexDigit),
                let value = UInt8(String(Substring(escape)), radix: 16)
            {
                decoded.append(value)
                rest = rest.dropFirst(2)
            } else {
                decoded.append(plusIsSpace && byte == plus ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: decoded, as: UTF8.self)
    }
}
