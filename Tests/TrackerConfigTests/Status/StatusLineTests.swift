import Foundation
import Testing
import TrackerConfig

@Suite("The lines of a status")
struct StatusLineTests {
    private let now = Date(timeIntervalSince1970: 1_700_000_000)

    private var quiet: SetupStatus {
        let process = ProcessIdentity(
            service: "orders", host: "h", processID: 1, startTime: now - 3600, sdkVersion: "0.1.0")
        var status = SetupStatus(time: now, process: process)
        status.document.state = .fetched
        status.document.version = 5
        status.document.since = now - 60
        return status
    }

    @Test("an outage is a warning until the document is older than 10 polls", arguments: [(599, false), (601, true)])
    func outage(age: Int, isProblem: Bool) throws {
        var status = quiet
        status.pollInterval = .seconds(60)
        let since = now - TimeInterval(age)
        status.fetchOutage = FetchOutage(since: since, lastTime: now, tries: 9, text: "cannot fetch x: late")
        let line = try #require(status.lines.first)
        #expect(line.level == (isProblem ? .problem : .warning))
        #expect(line.text == "Cannot fetch x: late (9 tries)")
        #expect(line.since == status.outage?.firstTime)
        #expect(line.topic == .fetch)
    }

    @Test(
        "a stream that is down is a problem if polls fail too, or if there are none and the document is stale",
        arguments: [
            (true, false, false, StatusLine.Level.warning, "; polling goes on"),
            (true, true, false, .problem, "; polling fails too"), (true, false, true, .warning, "; polling goes on"),
            (false, false, false, .warning, ""), (false, false, true, .problem, ""),
        ])
    func stream(polls: Bool, fails: Bool, isStale: Bool, level: StatusLine.Level, rest: String) throws {
        var status = quiet
        if polls { status.pollInterval = .seconds(60) }
        if fails { status.fetchOutage = FetchOutage(since: now - 9, lastTime: now, tries: 1, text: "timeout") }
        if isStale { status.document.staleSince = now - 180 }
        var streaming = StreamStatus()
        streaming.failure = FetchOutage(since: now - 90, lastTime: now, tries: 3, text: "silent for 45 s")
        // Between two connections, and after a failure that is over, there is nothing to say.
        status.streaming = streaming
        #expect(!status.lines.contains { $0.text.contains("stream") })
        streaming.isFailing = true
        status.streaming = streaming
        let line = try #require(status.lines.first { $0.text.contains("stream") })
        #expect(line.text == "The stream of changes is down (3 tries): silent for 45 s\(rest)")
        #expect((line.level, line.since, line.topic) == (level, now - 90, .fetch))
        status.isStopped = true
        #expect(!status.lines.contains { $0.text.contains("stream") })
    }

    @Test("a stale version is news, one that was changed without its version a warning")
    func pending() {
        var status = quiet
        status.pending = ConfigurationChange(.stale(version: 3), at: now)
        #expect(status.lines.map(\.level) == [.news, .normal])
        status.pending = ConfigurationChange(.unchanged(version: 5, isOtherContent: true), at: now)
        #expect(status.lines.map(\.level) == [.warning, .normal])
    }

    @Test("the warnings of the document are one line")
    func warnings() {
        var status = quiet
        status.document.warnings = [
            ConfigurationWarning(place: "configurationBundle[0].appid", reason: "an unknown key, ignored"),
            ConfigurationWarning(place: "oddity", reason: "an unknown key, ignored"),
        ]
        let text =
            "Version 5 has 2 warnings: configurationBundle[0].appid: an unknown key, ignored, and 1 more"
        #expect(status.lines.map(\.text) == [text, "Version 5 in use"])
        #expect(status.lines.map(\.level) == [.warning, .normal])
    }

    @Test("waiting events that are too large for the collector are a warning")
    func tooLarge() {
        var status = quiet
        var tracker = TrackerStatus(namespace: "shop")
        (tracker.waiting, tracker.tooLarge) = (12, 2)
        status.trackers = [tracker]
        #expect(status.lines.first?.level == .warning)
        #expect(status.lines.first?.text == "shop: 2 events too large for the collector, retried until expiry")
    }

    @Test("of many failing trackers five have a line each, those with the most waiting events first")
    func many() {
        var status = quiet
        status.trackers = (0..<50).map { number in
            var tracker = TrackerStatus(namespace: "t\(number)")
            (tracker.waiting, tracker.failingSince, tracker.consecutiveFailures) = (number + 1, now - 60, 3)
            tracker.lastResponse = "the collector answered 503"
            return tracker
        }
        let problems = status.lines.filter { $0.level == .problem }
        #expect(problems.map(\.namespace) == ["t49", "t48", "t47", "t46", "t45", nil])
        #expect(problems.last?.text == "45 more trackers fail to deliver")
        #expect(problems.first?.text == "t49: failing: the collector answered 503, 3 tries, 50 events waiting")
        #expect(status.failing.count == 50)
    }

    @Test("a reverted version is a problem until another one is applied")
    func reversion() {
        var status = quiet
        let reverted = ConfigurationChange(
            kind: .reverted, version: 6, text: "version 6 was reverted: slow", time: now, needsAttention: true)
        status.changes = [reverted]
        #expect(status.lines.first?.text == "Version 6 was reverted: slow")
        status.changes = [ConfigurationChange(.applied(version: 7, namespaces: []), at: now), reverted]
        #expect(status.lines.map(\.level) == [.normal])
        // After a switch to a user without a document it is a former user's.
        status.changes = [reverted]
        status.document = DocumentStatus()
        #expect(status.lines.map(\.text) == ["No document and no default in use: there are no trackers"])
    }

    @Test("a tracker fails while events wait or were just dropped, and not for ever after a rejection")
    func failing() {
        var tracker = TrackerStatus(namespace: "a")
        tracker.failingSince = now - 60
        #expect(!tracker.isFailing)
        tracker.waiting = 1
        #expect(tracker.isFailing)
        tracker.waiting = 0
        tracker.lastMinute.dropped = 1
        #expect(tracker.isFailing)
        tracker.isPaused = true
        #expect(!tracker.isFailing)
    }
}
