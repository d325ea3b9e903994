import TrackerPlatform

/// A range of internet addresses, such as `10.0.0.0/8` or `2001:db8::/32`; a single address is a range of one.
struct Network: Sendable {
    private let address: NetworkAddress
    private let mask: UInt128

    /// Reads a range; nil if the text is not a range. Bits of the address after the prefix do not matter.
    init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let address = NetworkAddress(String(parts[0])) else { return nil }
        // Addresses have the 128 bits of IPv6; those of IPv4 follow a prefix of 96 bits.
        var prefix = 128
        if parts.count == 2 {
            guard let number = Int(parts[1]), String(number) == parts[1] else { return nil }
            prefix = parts[0].contains(":") ? number : number + 96
        }
        guard (address.isShort ? 96 : 0)...128 ~= prefix else { return nil }
        self.address = address
        mask = prefix == 0 ? 0 : UInt128.max << (128 - prefix)
    }

    /// Whether the range contains an address of the same protocol.
    func contains(_ other: NetworkAddress) -> Bool {
        address.isShort == other.isShort && (address.bits ^ other.bits) & mask == 0
    }
}

/// An internet address. An IPv4 address equals its IPv6 form `::ffff:10.1.2.3`, which sockets for both report.
struct NetworkAddress: Sendable {
    let bits: UInt128

    /// Whether it is an IPv4 address.
    var isShort: Bool { bits >> 32 == 0xFFFF }

    /// Reads an address, strictly: without blanks, ports, zones and leading zeros in IPv4; nil if it is not one.
    init?(_ text: String) {
        // The longest address has 8 groups, the last two in the form of IPv4.
        guard text.utf8.count <= 45, !text.utf8.contains(0) else { return nil }
        let isLong = text.utf8.contains(UInt8(ascii: ":"))
        var address = in6_addr()
        guard isLong || text.utf8.contains(UInt8(ascii: ".")),
            inet_pton(AF_INET6, isLong ? text : "::ffff:\(text)", &address) == 1
        else { return nil }
        bits = withUnsafeBytes(of: address) { $0.reduce(0) { $0 << 8 | UInt128($1) } }
    }
}
