/// A range of internet addresses, as `10.0.0.0/8` or `2001:db8::/32`; an address alone is a range of one.
struct Network: Sendable {
    private let address: NetworkAddress
    private let mask: UInt128

    /// Reads a range; nil if the text is none. Bits of the address behind the prefix do not matter.
    init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count <= 2, let address = NetworkAddress(parts[0]) else { return nil }
        var prefix = address.isShort ? 32 : 128
        if parts.count == 2 {
            guard let number = parts[1].decimal(most: 3) else { return nil }
            // Of an IPv4 address in the form of IPv6, the prefix counts the 96 bits before it too.
            prefix = address.isMapped ? number - 96 : number
        }
        guard 0...(address.isShort ? 32 : 128) ~= prefix else { return nil }
        self.address = address
        mask = prefix == 0 ? 0 : UInt128.max << ((address.isShort ? 32 : 128) - prefix)
    }

    /// Whether an address of the same protocol lies within.
    func contains(_ other: NetworkAddress) -> Bool {
        address.isShort == other.isShort && (address.bits ^ other.bits) & mask == 0
    }
}

/// An internet address. One of IPv4 in the form of IPv6, `::ffff:10.1.2.3`, as sockets for both give it, is the same as in its
/// own form.
struct NetworkAddress: Sendable {
    let bits: UInt128
    /// Whether it is of IPv4.
    let isShort: Bool
    /// Whether it is of IPv4 and was written as one of IPv6.
    let isMapped: Bool

    /// Reads an address, strictly: without blanks, ports, zones and leading zeros in IPv4; nil if the text is none.
    init?(_ text: some Collection<UInt8>) {
        // The longest is that of 8 groups, the last two of which are in the form of IPv4.
        guard text.count <= 45 else { return nil }
        let bytes = Array(text)
        if let bits = Self.short(bytes[...]) {
            (self.bits, isShort, isMapped) = (UInt128(bits), true, false)
        } else if let bits = Self.long(bytes) {
            isMapped = bits >> 32 == 0xFFFF
            isShort = isMapped
            self.bits = isMapped ? bits & 0xFFFF_FFFF : bits
        } else {
            return nil
        }
    }

    private static func short(_ text: ArraySlice<UInt8>) -> UInt32? {
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var bits: UInt32 = 0
        for part in parts {
            guard let number = part.decimal(most: 3), number <= 255 else { return nil }
            bits = bits << 8 | UInt32(number)
        }
        return bits
    }

    private static func long(_ text: [UInt8]) -> UInt128? {
        let colon = UInt8(ascii: ":")
        var gap: Int?
        for index in text.indices.dropLast() where text[index] == colon && text[index + 1] == colon {
            // Three colons are no gap, and there is one gap at most.
            guard gap == nil else { return nil }
            gap = index
        }
        guard let gap else {
            guard let groups = groups(text[...]), groups.count == 8 else { return nil }
            return bits(groups)
        }
        let (before, after) = (text[..<gap], text[(gap + 2)...])
        // The form of IPv4 stands at the end only.
        guard let first = before.isEmpty ? [] : groups(before, isLast: false),
            let last = after.isEmpty ? [] : groups(after), first.count + last.count <= 7
        else { return nil }
        return bits(first + Array(repeating: 0, count: 8 - first.count - last.count) + last)
    }

    private static func bits(_ groups: [UInt16]) -> UInt128 { groups.reduce(0) { $0 << 16 | UInt128($1) } }

    private static func groups(_ text: ArraySlice<UInt8>, isLast: Bool = true) -> [UInt16]? {
        let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        var groups: [UInt16] = []
        for (index, part) in parts.enumerated() {
            if isLast, index == parts.count - 1, let bits = short(part) {
                groups += [UInt16(bits >> 16), UInt16(truncatingIfNeeded: bits)]
                continue
            }
            guard 1...4 ~= part.count, part.allSatisfy(\.isHexDigit),
                let group = UInt16(String(decoding: part, as: UTF8.self), radix: 16)
            else { return nil }
            groups.append(group)
        }
        return groups
    }
}

extension Collection<UInt8> {
    /// The number of decimal digits without leading zeros; nil if it is none, or if it has more digits.
    fileprivate func decimal(most: Int) -> Int? {
        guard 1...most ~= count, count == 1 || first != UInt8(ascii: "0") else { return nil }
        var number = 0
        for byte in self {
            guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
            number = number * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return number
    }
}

extension UInt8 {
    fileprivate var isHexDigit: Bool { 0x30...0x39 ~= self || 0x41...0x46 ~= self & 0xDF }
}
