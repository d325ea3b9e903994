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
            ("http://%31%32%37.0.0.1", "http://127.0.0.1"), ("http://[0:0::1]:8080", "http://[::1]:8080"),
            ("http://１２７.0.0.1", "http://127.0.0.1"), ("http://BÜCHER.example", "http://xn--bcher-kva.example"),
            // A combining character after a delimiter hides it from a search by characters, and not from libcurl.
            ("http://c.example/\u{301}@d.example", "http://c.example"),
            ("http://c.example?\u{301}@d.example", "http://c.example"),
            ("http://c.example#\u{301}@d.example", "http://c.example"),
        ])
    func normalises(text: String, origin: String) throws {
        #expect(try EndpointURL(text).origin.description == origin)
    }

    @Test(
        "an address of this machine or of the local link is known in each spelling",
        arguments: [
            ("127.1", Origin.Reach.loopback), ("0x7f000001", .loopback), ("2130706433", .loopback),
            ("0177.0.0.1", .loopback), ("%31%32%37.0.0.1", .loopback), ("[::ffff:127.0.0.1]", .loopback),
            ("[::ffff:7f00:1]", .loopback), ("[::1]", .loopback), ("[::]", .loopback), ("0", .loopback),
            ("0.0.0.0", .loopback), ("localhost", .loopback), ("LOCALHOST.", .loopback), ("a.localhost", .loopback),
            ("127.255.255.254", .loopback), ("169.254.169.254", .linkLocal), ("0xa9fea9fe", .linkLocal),
            ("2852039166", .linkLocal), ("[fe80::1]", .linkLocal), ("[febf::1]", .linkLocal),
            ("[fe80::1%25eth0]", .linkLocal), ("[fd00:ec2::254]", .linkLocal), ("[::ffff:169.254.0.1]", .linkLocal),
            ("c.example", .elsewhere), ("128.0.0.1", .elsewhere), ("10.0.0.1", .elsewhere), ("[fec0::1]", .elsewhere),
            ("[fd00:ec2::253]", .elsewhere), ("localhost.example", .elsewhere), ("[2001:db8::1]", .elsewhere),
        ])
    func reach(host: String, reach: Origin.Reach) throws {
        #expect(try EndpointURL("http://\(host):8080/x").origin.reach == reach)
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
            ("http://10.0.0.1", "http://0x0a000001", true), ("bücher.example", "https://xn--bcher-kva.example", true),
        ])
    func matches(entry: String, url: String, isMatch: Bool) throws {
        #expect(try OriginPattern(entry, place: "").matches(EndpointURL(url).origin) == isMatch)
    }

    @Test(
        "what is neither is refused with its place",
        arguments: [
            "", "*", "*.", "https://*", "https://c.example/path", "https://u@c.example", "c.example?x",
            "*.127.0.0.1", "a.*.example", "ftp://c.example", "*.*.example",
        ])
    func refuses(entry: String) {
        let error = #expect(throws: ConfigurationError.self) { try OriginPattern(entry, place: "list[1]") }
        #expect(error?.code == .unusableURL)
        #expect(error?.place == "list[1]")
    }
}
