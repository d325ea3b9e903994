import IntegrationsPlatform

/// The proxies whose `X-Forwarded-For` is trusted, as networks or addresses.
///
/// ```swift
/// let proxies = try TrustedProxies(["10.0.0.0/8", "fd00::/8", "127.0.0.1"])
/// ```
///
/// Each proxy appends the address of its peer to the list. The client is therefore the last address that does not
/// belong to a trusted proxy; earlier addresses may be forged.
public struct TrustedProxies: Sendable, Hashable {
    /// No proxy: the peer is the client.
    public static let none = TrustedProxies(networks: [])

    private struct Network: Sendable, Hashable {
        let address: Address
        let prefix: Int

        func contains(_ other: Address) -> Bool {
            guard address.bytes.count == other.bytes.count else { return false }
            for (index, (own, other)) in zip(address.bytes, other.bytes).enumerated() {
                let bits = min(max(prefix - index * 8, 0), 8)
                let mask = UInt8(truncatingIfNeeded: 0xFF00 >> bits)
                if (own ^ other) & mask != 0 { return false }
            }
            return true
        }
    }

    /// An IPv4 address of 4 bytes or an IPv6 address of 16 bytes. An IPv4-mapped IPv6 address is an IPv4 address.
    private struct Address: Sendable, Hashable {
        let bytes: [UInt8]

        init?(_ text: some StringProtocol) {
            let text = String(text)
            var all = [UInt8](repeating: 0, count: 16)
            if inet_pton(AF_INET, text, &all) == 1 {
                bytes = Array(all[..<4])
            } else if inet_pton(AF_INET6, text, &all) == 1 {
                let isMapped = all[..<10].allSatisfy { $0 == 0 } && all[10] == 0xFF && all[11] == 0xFF
                bytes = isMapped ? Array(all[12...]) : all
            } else {
                return nil
            }
        }

        /// The address in its standard form.
        var text: String {
            var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
            let family = bytes.count == 4 ? AF_INET : AF_INET6
            _ = bytes.withUnsafeBytes { inet_ntop(family, $0.baseAddress, &text, socklen_t(text.count)) }
            return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }

    /// The error of a text that is not a network or an address.
    public struct InvalidNetwork: Error, Sendable, Hashable, CustomStringConvertible {
        /// The text.
        public let text: String

        /// The reason, as a sentence.
        public var description: String { "'\(text)' is not a network such as '10.0.0.0/8', or an address" }
    }

    private let networks: [Network]

    private init(networks: [Network]) {
        self.networks = networks
    }

    /// Creates a set of proxies.
    /// - Parameter networks: Networks, such as `10.0.0.0/8` or `fd00::/8`, or addresses.
    /// - Throws: ``InvalidNetwork`` for other texts.
    public init(_ networks: [String]) throws(InvalidNetwork) {
        self.networks = try networks.map { text throws(InvalidNetwork) in
            let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            guard let address = Address(parts[0]) else { throw InvalidNetwork(text: text) }
            let length = address.bytes.count * 8
            guard parts.count > 1 else { return Network(address: address, prefix: length) }
            guard let prefix = Int(parts[1]), 0...length ~= prefix else { throw InvalidNetwork(text: text) }
            return Network(address: address, prefix: prefix)
        }
    }

    /// Returns the address of the client.
    /// - Parameters:
    ///   - peer: The address of the peer; nil if it is unknown, as for a Unix domain socket. An unknown peer is trusted
    ///     if there are any proxies.
    ///   - forwardedFor: The values of the headers `X-Forwarded-For`, in order.
    /// - Returns: The address without a port; nil if it is unknown.
    public func client(of peer: String?, forwardedFor: [String]) -> String? {
        var client = peer.map { Address($0)?.text ?? $0 }
        guard !networks.isEmpty else { return client }
        for hop in forwardedFor.flatMap({ $0.split(separator: ",") }).reversed() {
            guard isTrusted(client), let address = Address(Self.host(hop)) else { return client }
            client = address.text
        }
        return client
    }

    private func isTrusted(_ text: String?) -> Bool {
        guard let text else { return true }
        guard let address = Address(text) else { return false }
        return networks.contains { $0.contains(address) }
    }

    /// The address of a list element without white space, brackets and port: some proxies write `203.0.113.7:1234` or
    /// `[2001:db8::1]:1234`.
    private static func host(_ hop: Substring) -> Substring {
        let hop = hop.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
        if hop.hasPrefix("[") { return hop.dropFirst().prefix { $0 != "]" } }
        return hop.count { $0 == ":" } == 1 ? hop.prefix { $0 != ":" } : hop
    }
}
