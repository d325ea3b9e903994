import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerConsole
import TrackerCore

/// The page itself.
@Suite("Console: page", .endsWhenItHangs)
struct ConsolePageTests {
    private let service = Service()

    @Test("has one script and one style, each with the word of its answer, and nothing else may run")
    func policy() async throws {
        let setup = try service.start()
        let browser = ConsoleBrowser(setup)
        var words: Set<String> = []
        for _ in 0..<2 {
            let answer = await browser.send("GET", "")
            #expect((answer.status, answer.header("Content-Type")) == (200, "text/html; charset=utf-8"))
            let policy = try #require(answer.header("Content-Security-Policy"))
            #expect(policy.hasPrefix("default-src 'none'; script-src 'nonce-"))
            for part in ["connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"] {
                #expect(policy.contains(part))
            }
            #expect(!policy.contains("unsafe") && !policy.contains("*"))
            let word = try #require(policy.firstMatch(of: /script-src 'nonce-([0-9a-z]{20,})'/)?.1)
            #expect(policy.contains("style-src 'nonce-\(word)'"))
            #expect(answer.text.ranges(of: "<script nonce=\"\(word)\">").count == 1)
            #expect(answer.text.ranges(of: "<style nonce=\"\(word)\">").count == 1)
            words.insert(String(word))
        }
        #expect(words.count == 2)
        await setup.shutdown(timeout: .zero)
    }

    @Test("is at the path of the options, however that is written, and nowhere else")
    func path() async throws {
        let setup = try service.start()
        for (option, path) in [("/console", "/console"), ("ops/", "/ops"), ("//a//b", "/a/b"), ("/", ""), ("", "")] {
            let browser = ConsoleBrowser(setup) { $0.path = option }
            #expect(browser.console.path == path)
            for (place, status) in [("\(path)/", 200), ("\(path)x/", 404)] {
                let request = ConsoleRequest(method: "GET", path: place, headers: browser.headers)
                #expect(await browser.console.respond(to: request).status == status, "\(option): \(place)")
            }
        }
        // Without the slash at its end it leads there.
        let browser = ConsoleBrowser(setup)
        let request = ConsoleRequest(method: "GET", path: "/console", headers: browser.headers)
        let response = await browser.console.respond(to: request)
        #expect(response.status == 308)
        #expect(response.headers.first { $0.name == "Location" }?.value == "console/")
        await setup.shutdown(timeout: .zero)
    }

    @Test("needs nothing from elsewhere and writes no markup of what it is told")
    func source() async throws {
        let setup = try service.start()
        let text = await ConsoleBrowser(setup).send("GET", "").text
        #expect(text.contains("</html>"))
        #expect(text.ranges(of: "<script").count == 1 && text.ranges(of: "<style").count == 1)
        for forbidden in [
            "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "src=\"http", "url(http",
        ] {
            #expect(!text.contains(forbidden), "\(forbidden)")
        }
        #expect(text.firstMatch(of: /<[^>]+ (on[a-z]+|style)=/) == nil)
        await setup.shutdown(timeout: .zero)
    }

    @Test("every answer is kept by nobody, framed by nobody and taken for nothing else")
    func headers() async throws {
        let setup = try service.start()
        let browser = ConsoleBrowser(setup)
        for path in ["", "status", "nothing", "live"] {
            let answer = await browser.send("GET", path)
            #expect(answer.header("Cache-Control") == "no-store")
            #expect(answer.header("X-Content-Type-Options") == "nosniff")
            #expect(answer.header("X-Frame-Options") == "DENY")
            #expect(answer.header("Referrer-Policy") == "no-referrer")
            #expect(answer.header("Cross-Origin-Resource-Policy") == "same-origin")
        }
        await setup.shutdown(timeout: .zero)
    }

    @Test("HEAD is answered as GET, and no stream begins for it")
    func head() async throws {
        let setup = try service.start()
        let browser = ConsoleBrowser(setup)
        let (head, whole) = (await browser.send("HEAD", "").text, await browser.send("GET", "").text)
        // Its word is not always as long.
        #expect(whole.count > 10_000 && abs(head.count - whole.count) < 50)
        let stream = await browser.send("HEAD", "stream")
        #expect((stream.status, stream.header("Content-Type"), stream.text) == (200, "text/event-stream", ""))
        guard case .bytes = stream.response.body else {
            Issue.record("it is a stream")
            return
        }
        await setup.shutdown(timeout: .zero)
    }
}
