import TestSupport
import Testing
import TrackerPlatform

@testable import TrackerCore

/// Sentences of libcurl's that repeat what was set.
@Suite("Secrets in sentences of libcurl", .endsWhenItHangs, .mayBlock)
struct CurlFailureTests {
    @Test("no part of a malformed proxy setting's user and password is in an error")
    func proxies() async {
        await #expect(processExitsWith: .success) {
            for name in ["no_proxy", "NO_PROXY"] { unsetenv(name) }
            let settings = [
                "http://svc:pa55#w0rd@127.0.0.1:3128", "http://svc:pa55/w0rd@127.0.0.1:3128",
                "http://svc:pa55@w0rd@127.0.0.1:1", "http://svc:pa55w0rd@127.0.0.1:3128x",
                "htp://svc:pa55w0rd@127.0.0.1:3128", "http://svc:pa55@w0rd/x@127.0.0.1:3128",
                "svc:p%61%3555@w0rd:pa55w0rd/@127.0.0.1:3128",
            ]
            for setting in settings {
                for name in ["http_proxy", "https_proxy", "all_proxy"] { setenv(name, setting, 1) }
                for url in ["http://c.example.invalid", "https://c.example.invalid"] {
                    let error = await #expect(throws: HTTPTransportError.self) {
                        try await CurlTransport().send(HTTPTransportRequest(method: "GET", url: url))
                    }
                    let reason = error?.reason ?? ""
                    #expect(!reason.contains("pa55") && !reason.contains("w0rd"), "\(setting): \(reason)")
                }
            }
        }
    }

    @Test(
        "a sentence with a user, password or query of the URL, or the value of a header, is replaced by that of the code",
        arguments: [
            ("cannot use http://me:pa55w0rd@c.example", true), ("cannot use c.example/i?k=t0ken1", true),
            ("Bearer h34der is refused", true), ("Could not resolve host: PA55W0RD", true),
            ("cut off at 'pa55w", true), ("Failed to connect to c.example port 443", false), ("", true),
        ])
    func request(sentence: String, isReplaced: Bool) {
        let request = HTTPTransportRequest(
            method: "GET", url: "http://me:pa55w0rd@c.example/i?k=t0ken1",
            headers: [HTTPHeader(name: "Authorization", value: "Bearer h34der"), HTTPHeader(name: "X-A", value: "1")])
        let shown = isReplaced ? "Couldn't connect to server" : sentence
        #expect(CurlFailure(7, text: sentence, of: request).reason.replacing("Could not", with: "Couldn't") == shown)
    }
}
