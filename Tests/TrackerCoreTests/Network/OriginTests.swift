import TestSupport
import Testing
import TrackerCore

@Suite("Origin", .endsWhenItHangs)
struct OriginTests {
    @Test(
        "an origin is the scheme, host and port, however they are written",
        arguments: [
            ("https://C.Example:443/x", "https://c.example"), ("c.example.", "https://c.example"),
            ("http://c.example:80", "http://c.example"), ("http://c.example:443", "http://c.example:443"),
            ("https://u:p@c.example", "https://c.example"), ("http://%63.example", "http://c.example"),
            ("http://127.1", "http://127.0.0.1"), ("http://0x7f000001", "http://127.0.0.1"),
            ("http://2130706433", "http://127.0.0.1"), ("http://0177.0.0.1", "http://127.0.0.1"),
            ("http://%31%32%37.0.1", "http://127.0.0.1"), ("http://[0:0::1]:8080", "http://[::1]:8080"),
            ("http://[::FFFF:7f00:1]", "http://[::ffff:127.0.0.1]"), ("http://[FE80::1%25eth0]", "http://[fe80::1]"),
            // A combining character after a delimiter hides it from a search by characters, and not from libcurl.
            ("http://c.example/\u{301}@d.example", "http://c.example"),
            ("http://c.example?\u{301}@d.example", "http://c.example"),
            ("http://c.example#\u{301}@d.example", "http://c.example"),
        ])
    func normalises(text: String, origin: String) throws {
        #expect(try EndpointURL(text).origin.description == origin)
    }

    @Test("this machine is known in each spelling, and no other is taken for it")
    func isLoopback() throws {
        let own = [
            "127.1", "0x7f000001", "2130706433", "0177.0.0.1", "%31%32%37.0.0.1", "[::ffff:127.0.0.1]",
            "[::ffff:7f00:1]", "[::1]", "[::]", "[::ffff:0:0]", "[::FFFF:127.0.0.2]", "0", "0.0.0.0", "localhost",
            "LOCALHOST.", "a.localhost", "127.255.255.254", "127.0.0.1.",
        ]
        let others = [
            "c.example", "128.0.0.1", "10.0.0.1", "169.254.169.254", "[fe80::1]", "[::2]", "[::ffff:10.0.0.1]",
            "[::ffff:1270:1]", "localhost.example", "127.example", "127.0.0.1.example", "[2001:db8::1]",
        ]
        for host in own + others {
            #expect(try EndpointURL("http://\(host):8080/x").origin.isLoopback == own.contains(host), "\(host)")
        }
    }

    @Test(
        "an entry of a list means one origin, or all hosts below a domain",
        arguments: [
            ("https://c.example", "https://c.example/p", true), ("c.example", "https://C.example:443", true),
            ("https://c.example/", "https://c.example", true), ("c.example", "http://c.example", false),
            ("c.example", "https://c.example:8443", false), ("c.example:8443", "https://c.example:8443", true),
            ("c.example", "https://c.example.evil.example", false), ("c.example", "https://evilc.example", false),
            ("c.example", "https://c.example@evil.example", false), ("http://c.example", "http://c.example", true),
            ("*.example.com", "https://a.example.com", true), ("*.example.com", "https://a.b.example.com.", true),
            ("*.example.com", "https://example.com", false), ("*.example.com", "https://evilexample.com", false),
            ("*.example.com", "http://a.example.com", false), ("http://*.example.com", "http://a.example.com", true),
            ("http://*.example.com", "https://a.example.com", false),
            ("*.example.com", "https://a.example.com:8443", false),
            ("*.example.com:8443", "https://a.example.com:8443", true),
            ("http://10.0.0.1", "http://0x0a000001", true),
        ])
    func matches(entry: String, url: String, isMatch: Bool) throws {
        #expect(try OriginPattern(entry, place: "").matches(EndpointURL(url).origin) == isMatch)
    }

    @Test(
        "what is neither is refused with its place",
        arguments: [
            "", "*", "*.", "https://*", "https://c.example/path", "https://u@c.example", "c.example?x",
            "*.127.0.0.1", "*.[::1]", "*.bücher.example", "a.*.example", "ftp://c.example", "*.*.example",
        ])
    func refuses(entry: String) {
        let error = #expect(throws: ConfigurationError.self) { try OriginPattern(entry, place: "list[1]") }
        #expect(error?.code == .unusableURL)
        #expect(error?.place == "list[1]")
    }
}
