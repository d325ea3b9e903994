import TrackerPlatform

/// A range of internet addresses, as `10.0.0.0/8` or `2001:db8::/32`; an address alone is a range of one.
struct Network: Sendable {
    private let address: NetworkAddress
    private let mask: UInt128

    /// Reads a range; nil if the text is none. Bits of the address behind the prefix do not matter.
    init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let address = NetworkAddress(String(parts[0])) else { return nil }
        // All addresses have the 128 bits of IPv6, and those of IPv4 begin with 96 others.
        var prefix = 128
        if parts.count == 2 {
            guard let number = Int(parts[1]), String(number) == parts[1] else { return nil }
            prefix = parts[0].contains(":") ? number : number + 96
        }
        guard (address.isShort ? 96 : 0)...128 ~= prefix else { return nil }
        self.address = address
        mask = prefix == 0 ? 0 : UInt128.max << (128 - prefix)
    }

    /// Whether an address of the same protocol lies within.
    func contains(_ other: NetworkAddress) -> Bool {
        address.isShort == other.isShort && (address.bits ^ other.bits) & mask == 0
    }
}

/// An internet address. One of IPv4 is the same in the form of IPv6, `::ffff:10.1.2.3`, as sockets for both give it.
struct NetworkAddress: Sendable {
    let bits: UInt128

    /// Whether it is of IPv4.
    var isShort: Bool { bits >> 32 == 0xFFFF }

    /// Reads an address, strictly: without blanks, ports, zones and leading zeros in IPv4; nil if the text is none.
    init?(_ text: String) {
        // The longest is that of 8 groups, the last two of which are in the form of IPv4.
        guard text.utf8.count <= 45, !text.utf8.contains(0) else { return nil }
        let isLong = text.utf8.contains(UInt8(ascii: ":"))
        var address = in6_addr()
        guard isLong || text.utf8.contains(UInt8(ascii: ".")),
            inet_pton(AF_INET6, isLong ? text : "::ffff:\(text)", &address) == 1
        else { return nil }
        bits = withUnsafeBytes(of: address) { $0.reduce(0) { $0 << 8 | UInt128($1) } }
    }
}
