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
            ("http://[::1]:8080/x", "http://[::1]:8080/x"), ("http://127.0.0.1/ü", "http://127.0.0.1/ü"),
        ])
    func accepts(text: String, expected: String) throws {
        #expect(try EndpointURL(collector: text).text == expected)
    }

    @Test(
        "what cannot be a collector's URL is refused",
        arguments: [
            "", " ", "http://", "https://", "http:///path", "http://:80", "ftp://c.example", "file:///tmp/x",
            "ws://c.example", "http://c.example:0", "http://c.example:65536", "http://c.example:x",
            "http://c.example:99999999999999999999", "http://c .example", "http://c.example/a b", "http://c.example\n",
            "http://c.example/\u{7F}", "c.example\t", "http://c.example?a=1", "http://c.example/?",
            "http://c.example#f", "http://[::1", "://c.example", "http://c.example:-1", "https:/c.example",
            "https:c.example", "http:/c.example", "HTTPS:/c.example", "https//c.example", "http//c.example",
            "HTTP//c.example", "https:///c.example", "https://https:/c.example", "https://http//c.example",
            "http://file/x", "FILE:/etc/passwd", "File:///etc/passwd", "http:80", "//c.example",
            "http://c.example\\@evil.example", "http://a@b@c.example", "http://c,d.example",
            "http://b%C3%BCcher.example", "http://[::g]", "http://[::1]x", "http://c%00.example", "http://.",
            "http://c%2f.example", "http://c%40d.example", "http://c%3a80.example", "http://[::1%2f.]",
            "http://[::1%lo]", "http://[2001::%2fdb8::1]", "http://[::1%25ü]", "t@p://c.example", "http@s://c.example",
            "http://u:p@a@c.example", "http://c.example@", "http://u@:80",
        ])
    func refuses(text: String) {
        let error = #expect(throws: ConfigurationError.self) { try EndpointURL(collector: text) }
        #expect(error?.code == .unusableURL)
    }

    @Test(
        "a host name that is not in ASCII is refused with the way out",
        arguments: [
            "http://bücher.example/ü", "BÜCHER.example:8080", "https://u:p@日本.example/", "http://ｃ.example",
            "http://１２７.0.0.1", "http://b%C3%BCcher.example",
        ])
    func refusesHosts(text: String) {
        let error = #expect(throws: ConfigurationError.self) { try EndpointURL(collector: text) }
        #expect(error?.reason.contains("write it in Punycode, as 'xn--bcher-kva.example'") == true)
        #expect(error?.reason.contains("u:p") == false)
    }

    @Test(
        "the reason says what is wrong",
        arguments: [
            ("https:c.example", "'//' and a host must follow 'https:'"), ("http://:80", "its host is missing"),
            ("http//c.example", "its host is 'http'; '://' may be written wrongly"), ("c.example:0", "its port is not"),
            ("http://c,d.example", "neither a name nor an address"), ("ftp://c.example", "none of http, https"),
        ])
    func names(text: String, reason: String) {
        let error = #expect(throws: ConfigurationError.self) { try EndpointURL(collector: text) }
        #expect(error?.reason.contains(reason) == true)
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
        #expect(try EndpointURL("file://localhost/etc/x.json", schemes: ["file"]).scheme == "file")
        for text in ["file://host/x", "file:x", "file:", "file:!/x", "file://:/x"] {
            #expect(throws: ConfigurationError.self) { try EndpointURL(text, schemes: ["file"]) }
        }
    }
}
