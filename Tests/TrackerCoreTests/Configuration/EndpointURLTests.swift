import TestSupport
import Testing
import TrackerCore

@Suite("EndpointURL", .endsWhenItHangs)
struct EndpointURLTests {
    @Test(
        "a collector's URL is taken, with https where it names no scheme and without slashes at its end",
        arguments: [
            ("https://c.example", "https://c.example"), ("http://c.example", "http://c.example"),
            ("c.example", "https://c.example"), ("c.example:8080", "https://c.example:8080"),
            ("localhost:9090/p", "https://localhost:9090/p"), ("http://c.example/", "http://c.example"),
            ("http://c.example/a/b///", "http://c.example/a/b"), ("http://c.example:1", "http://c.example:1"),
            ("http://c.example:65535", "http://c.example:65535"), ("HTTP://c.example", "HTTP://c.example"),
            ("http://[::1]:8080/x", "http://[::1]:8080/x"), ("http://127.0.0.1", "http://127.0.0.1"),
        ])
    func accepts(text: String, expected: String) throws {
        #expect(try EndpointURL(collector: text).text == expected)
    }

    @Test(
        "what cannot be a collector's URL is refused",
        arguments: [
            "", " ", "http://", "https://", "http:///path", "http://:80", "ftp://c.example", "file:///tmp/x",
            "ws://c.example",
            "http://c.example:0", "http://c.example:65536", "http://c.example:x",
            "http://c.example:99999999999999999999",
            "http://c .example", "http://c.example/a b", "http://c.example\n", "http://c.example/\u{7F}", "c.example\t",
            "http://c.example?a=1", "http://c.example/?", "http://c.example#f", "http://[::1", "://c.example",
            "http://c.example:-1", "https:/c.example", "https:c.example", "http:/c.example", "HTTPS:/c.example",
            "https//c.example", "http//c.example", "HTTP//c.example", "https:///c.example", "https://https:/c.example",
            "https://http//c.example", "http://file/x", "FILE:/etc/passwd", "File:///etc/passwd", "http:80",
            "//c.example",
            "http://c.example\\@evil.example", "http://a@b@c.example", "http://c,d.example",
            "http://b%C3%BCcher.example",
            "http://[::g]", "http://[::1]x", "http://c%00.example", "http://.",
        ])
    func refuses(text: String) {
        let error = #expect(throws: ConfigurationError.self) { try EndpointURL(collector: text) }
        #expect(error?.code == .unusableURL)
    }

    @Test(
        "an international host name is converted to ASCII",
        arguments: [
            ("http://bücher.example/ü", "http://xn--bcher-kva.example/ü"),
            ("BÜCHER.example:8080", "https://xn--bcher-kva.example:8080"),
            ("https://u:p@日本.example/", "https://u:p@xn--wgv71a.example"), ("http://ｃ.example", "http://c.example"),
        ])
    func convertsHosts(text: String, expected: String) throws {
        let url = try EndpointURL(collector: text)
        #expect(url.text == expected)
        #expect(url.origin.host.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test(
        "a host name that has no ASCII form is refused with the way out",
        arguments: ["http://-ü.example", "http://ü\u{0}.example", "http://ü%2f.example", "http://[ü]"])
    func refusesHosts(text: String) {
        let error = #expect(throws: ConfigurationError.self) { try EndpointURL(collector: text) }
        #expect(error?.code == .unusableURL)
        if text == "http://-ü.example" { #expect(error?.reason.contains("as 'xn--bcher-kva.example'") == true) }
    }

    @Test("a URL has at most 2,048 bytes, its scheme included")
    func boundsLength() throws {
        let base = "http://c.example/"
        let longest = base + String(repeating: "a", count: 2048 - base.utf8.count)
        #expect(try EndpointURL(collector: longest).text == longest)
        #expect(throws: ConfigurationError.self) { try EndpointURL(collector: longest + "a") }
        let bare = "c.example/" + String(repeating: "a", count: 2048 - 10)
        #expect(throws: ConfigurationError.self) { try EndpointURL(collector: bare) }
    }

    @Test("a source may be a file with an absolute path, where files are allowed")
    func readsFileURLs() throws {
        #expect(try EndpointURL("file:///etc/x.json", schemes: ["file"]).scheme == "file")
        #expect(try EndpointURL("FILE:/etc/x.json", schemes: ["file"]).scheme == "file")
        for text in ["file://host/x", "file:x", "file:"] {
            #expect(throws: ConfigurationError.self) { try EndpointURL(text, schemes: ["file"]) }
        }
    }
}
