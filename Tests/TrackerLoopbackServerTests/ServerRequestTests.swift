import TestSupport
import Testing
import TrackerLoopbackServer

@Suite("A request's parts", .endsWhenItHangs)
struct ServerRequestTests {
    @Test(
        "decodes the path, unless it cannot be decoded",
        arguments: [
            ("/a/b?c=d", "/a/b"),
            ("/%41%2f%c3%A9+", "/A/é+"),
            ("/100%", "/100%"),
            ("/%4", "/%4"),
            ("/%zz%+1", "/%zz%+1"),
            ("/?", "/"),
            ("/a?b?c", "/a"),
            ("*", "*"),
        ])
    func path(target: String, path: String) {
        #expect(ServerRequest(target: target).path == path)
    }

    @Test("decodes the query in its order")
    func query() {
        let query = ServerRequest(target: "/i?e=pv&url=http%3A%2F%2Fx%2F%3Fa%3Db&page=a+b%2B&e=2&&empty=&bare&=v").query
        #expect(query.map(\.name) == ["e", "url", "page", "e", "empty", "bare", ""])
        #expect(query.map(\.value) == ["pv", "http://x/?a=b", "a b+", "2", "", "", "v"])
        #expect(ServerRequest(target: "/i").query.isEmpty)
        #expect(ServerRequest(target: "/i?a=b=c").query.map(\.value) == ["b=c"])
    }

    @Test("finds header fields in any case, and joins those that stand several times")
    func header() {
        let request = ServerRequest(
            target: "/", headers: [("If-None-Match", "\"a\""), ("if-none-match", "\"b\""), ("Empty", "")])
        #expect(request.header("IF-NONE-MATCH") == "\"a\", \"b\"")
        #expect(request.header("empty") == "")
        #expect(request.header("absent") == nil)
        // The byte of "@" differs from that of "`" as those of letters do from their capitals.
        #expect(ServerRequest(target: "/", headers: [("@", "x")]).header("`") == nil)
    }
}
