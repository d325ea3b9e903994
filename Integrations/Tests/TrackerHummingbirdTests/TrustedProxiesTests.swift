import Testing
import TrackerHummingbird

@Suite("TrustedProxies", .timeLimit(.minutes(10)))
struct TrustedProxiesTests {
    private let proxies: TrustedProxies

    init() throws {
        proxies = try TrustedProxies(["10.0.0.0/8", "192.168.7.0/25", "fd00::/8", "127.0.0.1"])
    }

    @Test(
        "the client is the last address that is no trusted proxy's",
        arguments: [
            ("203.0.113.7", [], "203.0.113.7"),
            // A client that is not a proxy is not believed.
            ("203.0.113.7", ["198.51.100.1"], "203.0.113.7"),
            ("10.1.2.3", ["198.51.100.1"], "198.51.100.1"),
            ("10.1.2.3", ["198.51.100.1, 203.0.113.7"], "203.0.113.7"),
            ("10.1.2.3", ["198.51.100.1", "203.0.113.7, 10.9.9.9"], "203.0.113.7"),
            ("127.0.0.1", ["198.51.100.1,192.168.7.127"], "198.51.100.1"),
            ("127.0.0.1", ["198.51.100.1,192.168.7.128"], "192.168.7.128"),
            ("fd12::1", ["2001:DB8::0:1"], "2001:db8::1"),
            ("fd12::1", ["[2001:db8::1]:1234"], "2001:db8::1"),
            ("fd12::1", ["\t198.51.100.1:1234 "], "198.51.100.1"),
            ("::ffff:10.1.2.3", ["198.51.100.1"], "198.51.100.1"),
            ("10.1.2.3", ["unknown"], "10.1.2.3"),
            ("10.1.2.3", ["198.51.100.1, nonsense, 10.2.2.2"], "10.2.2.2"),
            // All are proxies: the first is the nearest to the client.
            ("10.1.2.3", ["10.4.4.4, 10.3.3.3"], "10.4.4.4"),
            ("10.1.2.3", [""], "10.1.2.3"),
        ] as [(String, [String], String)])
    func client(peer: String, forwardedFor: [String], expected: String) {
        #expect(proxies.client(of: peer, forwardedFor: forwardedFor) == expected)
    }

    @Test("without an address the header is believed only if there are proxies")
    func unknownPeer() {
        #expect(proxies.client(of: nil, forwardedFor: ["198.51.100.1"]) == "198.51.100.1")
        #expect(TrustedProxies.none.client(of: nil, forwardedFor: ["198.51.100.1"]) == nil)
        #expect(TrustedProxies.none.client(of: "10.1.2.3", forwardedFor: ["198.51.100.1"]) == "10.1.2.3")
    }

    @Test("/0 is everything of its kind, and the longest prefix one address")
    func bounds() throws {
        let four = try TrustedProxies(["0.0.0.0/0", "::1/128"])
        #expect(four.client(of: "203.0.113.7", forwardedFor: ["2001:db8::1"]) == "2001:db8::1")
        #expect(four.client(of: "2001:db8::1", forwardedFor: ["198.51.100.1"]) == "2001:db8::1")
        #expect(four.client(of: "::1", forwardedFor: ["198.51.100.1"]) == "198.51.100.1")
    }

    @Test(
        "what is no network is refused",
        arguments: ["", "/8", "10.0.0.0/33", "fd00::/129", "10.0.0/8", "a", "10.0.0.0/-1", "10.0.0.0/"])
    func invalid(text: String) {
        #expect(throws: TrustedProxies.InvalidNetwork.self) { try TrustedProxies([text]) }
    }
}
