import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerConsole
import TrackerCore
import TrackerTesting

/// What load balancers, probes and scripts ask.
@Suite("Console: health and status", .endsWhenItHangs)
struct ConsoleHealthTests {
    private let service = Service()

    private func start() async throws -> Setup {
        let bundle = DocumentText.bundle("a", at: "one.example", #""emitter":{"bufferOption":"Single"}"#)
        service.serve(DocumentText.document(2, bundle))
        let setup = try service.start("https://config.example/trackers.json?key=SECRET")
        await service.settled()
        return setup
    }

    /// Tracks an event and waits until a request with it has failed.
    private func fail(_ setup: Setup) async throws {
        service.collector("one.example", answers: 503)
        let tracker = try #require(setup.tracker("a"))
        tracker.track(Structured(category: "cart", action: "add"))
        await service.time.waitForSleep(in: .zero ... .milliseconds(400))
        // The delivery has told what it did once it answers.
        _ = await tracker.status
    }

    @Test("a tracker that fails is a warning, a failure only if the client is strict, and neither while it is paused")
    func failing() async throws {
        let setup = try await start()
        try await fail(setup)
        let browser = ConsoleBrowser(setup)
        for (path, status, verdict) in [
            ("health", 200, "warn"), ("health?strict", 503, "fail"), ("health?strict=1", 503, "fail"),
            ("health?x=1&strict=", 503, "fail"), ("health?strict=0", 200, "warn"), ("health?strict=false", 200, "warn"),
            ("health?stricter", 200, "warn"),
        ] {
            let health = await browser.send("GET", path)
            #expect((health.status, health.json["status"]?.string) == (status, verdict), "\(path)")
            #expect(health.json.at("lines.0.level") == "problem")
            #expect(health.json.at("lines.0.namespace") == "a")
        }
        #expect(await browser.get("live").at("trackers.a.isFailing") == true)
        setup.tracker("a")?.pause()
        let row = await browser.get("live").at("trackers.a")
        #expect((row.at("isFailing"), row.at("isPaused")) == (false, true))
        await setup.shutdown(timeout: .zero)
    }

    @Test("the status has all of its members whatever a client asked for and however deep a document is")
    func extremes() async throws {
        let depth = 126
        let meta = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        let bundle = DocumentText.bundle("a", at: "one.example")
        service.serve(DocumentText.document(2, bundle, more: ",\"meta\":{\"deep\":\(meta)}"))
        let setup = try service.start()
        await service.settled()
        _ = setup.features.isEnabled("a" + String(repeating: "\u{301}", count: 200))
        let browser = ConsoleBrowser(setup)
        #expect(await browser.get("status").at("document.meta.deep") != nil)
        #expect(await browser.get("health").at("lines").array?.isEmpty == false)
        await setup.shutdown(timeout: .zero)
    }

    @Test("a service without a configuration fails, and so does one that was shut down")
    func fails() async throws {
        service.serve(status: 404)
        let setup = try service.start()
        await service.settled()
        let health = await ConsoleBrowser(setup).send("GET", "health")
        #expect((health.status, health.json["status"]) == (503, "fail"))
        await setup.shutdown(timeout: .zero)
        let other = try await start()
        await other.shutdown(timeout: .zero)
        #expect(await ConsoleBrowser(other).send("GET", "health").status == 503)
    }

    @Test("a service that works passes, and its status is the setup's own, with dates of ISO 8601 and no secret")
    func status() async throws {
        let setup = try await start()
        await setup.tracker("a")?.deliver()
        let health = await ConsoleBrowser(setup).send("GET", "health")
        #expect((health.status, health.json["status"]) == (200, "pass"))
        let lines = health.json["lines"]?.array ?? []
        #expect(lines.contains { $0.at("topic") == "tracker" && $0.at("level") == "normal" })
        #expect(lines.allSatisfy { $0.at("text").string?.isEmpty == false })
        let answer = await ConsoleBrowser(setup).send("GET", "status")
        #expect(answer.json.at("document.version") == 2)
        #expect(answer.json.at("document.since") == "2023-11-14T22:13:20Z")
        #expect(answer.json.at("trackers.0.counters.sent") == 1)
        #expect(answer.json["lines"]?.array?.isEmpty == false)
        #expect((answer.json["isHealthy"], answer.json["failing"]) == (true, []))
        #expect(!answer.text.contains("SECRET"))
        #expect(answer.json.at("process.instanceID").string == setup.status.process.instanceID)
        await setup.shutdown(timeout: .zero)
    }

    @Test("the effective configuration is a file to keep, with what was set in code and without secrets")
    func configuration() async throws {
        let setup = try await start()
        let tracker = try #require(setup.tracker("a"))
        try tracker.subject.set(\.userID, to: "u-1")
        try tracker.network.set(\.requestHeaders, to: [HTTPHeader(name: "X-Key", value: "SECRET")])
        let answer = await ConsoleBrowser(setup).send("GET", "configuration")
        #expect(answer.json == setup.effectiveConfiguration)
        #expect(answer.json.at("configurationBundle.0.subjectConfiguration.userId") == "u-1")
        #expect(answer.header("Content-Disposition") == #"attachment; filename="configuration.json""#)
        #expect(!answer.text.contains("SECRET"))
        await setup.shutdown(timeout: .zero)
    }

    @Test("what machines read needs the token as all else does")
    func token() async throws {
        let setup = try await start()
        for path in ["health", "metrics", "status", "configuration"] {
            var browser = ConsoleBrowser(setup) { $0.token = "t" }
            #expect(await browser.send("GET", path).status == 401)
            browser.headers = [HTTPHeader(name: "Authorization", value: "Bearer t")]
            #expect(await browser.send("GET", path).status == 200)
        }
        await setup.shutdown(timeout: .zero)
    }
}
