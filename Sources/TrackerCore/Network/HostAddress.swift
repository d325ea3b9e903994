import Glibc

/// An IPv4 or IPv6 address, in any of the forms that the system's resolver accepts.
struct HostAddress: CustomStringConvertible {
    private enum Kind {
        case four([UInt8])
        case six([UInt8])
    }

    private let kind: Kind

    /// Reads a host; nil if it is a name.
    init?(_ host: String) {
        if host.hasPrefix("["), host.hasSuffix("]") {
            // A zone, as in fe80::1%25eth0, names an interface of this machine.
            let text = host.dropFirst().dropLast().prefix { $0 != "%" }
            var address = in6_addr()
            guard inet_pton(AF_INET6, String(text), &address) == 1 else { return nil }
            kind = .six(withUnsafeBytes(of: &address) { Array($0) })
        } else {
            var address = in_addr()
            guard inet_aton(host, &address) != 0 else { return nil }
            kind = .four(withUnsafeBytes(of: &address) { Array($0) })
        }
    }

    var description: String {
        switch kind {
        case .four(let bytes): return bytes.map { "\($0)" }.joined(separator: ".")
        case .six(let bytes):
            var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
            _ = bytes.withUnsafeBytes { inet_ntop(AF_INET6, $0.baseAddress, &text, socklen_t(text.count)) }
            return "[\(String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))]"
        }
    }

    var reach: Origin.Reach {
        switch kind {
        case .four(let bytes): return Self.reach(of: bytes[...])
        case .six(let bytes):
            let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
            if isMapped { return Self.reach(of: bytes[12...]) }
            if bytes[..<15].allSatisfy({ $0 == 0 }), bytes[15] <= 1 { return .loopback }
            let isAmazon = bytes[..<4] == [0xFD, 0x00, 0x0E, 0xC2] && bytes[14...] == [0x02, 0x54]
            if isAmazon, bytes[4..<14].allSatisfy({ $0 == 0 }) { return .linkLocal }
            return bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80 ? .linkLocal : .elsewhere
        }
    }

    private static func reach(of four: ArraySlice<UInt8>) -> Origin.Reach {
        if four.first == 127 || four.allSatisfy({ $0 == 0 }) { return .loopback }
        return four.starts(with: [169, 254]) ? .linkLocal : .elsewhere
    }
}
