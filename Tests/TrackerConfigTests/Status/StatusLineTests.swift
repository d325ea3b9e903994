import Foundation
import TestSupport
import Testing

@testable import TrackerConfig

@Suite("The lines of a status", .endsWhenItHangs)
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

    private func outage(_ text: String, _ start: Date, count: Int) -> ConfigurationChange {
        var change = ConfigurationChange(kind: .failed, text: text, time: start, needsAttention: true)
        change.count = count
        return change
    }

    @Test("an outage is a warning until the document is older than 10 polls", arguments: [(599, false), (601, true)])
    func outage(age: Int, isProblem: Bool) throws {
        var status = quiet
        status.pollIntervalSeconds = 60
        let since = now - TimeInterval(age)
        status.outage = outage("cannot fetch x: late", since, count: 9)
        status.nextFetchTime = now + 40
        let line = try #require(status.concluded.lines.first)
        #expect(line.level == (isProblem ? .problem : .warning))
        #expect(line.text == "Cannot fetch x: late (9 tries, the next in 40 s)")
        #expect(line.since == status.outage?.firstTime)
        #expect(line.topic == .fetch)
    }

    @Test("events that wait for a namespace without a tracker are a warning with their number and age")
    func unclaimed() throws {
        var status = quiet
        status.unclaimed = SetupStatus.Unclaimed(count: 21, oldest: now - 7200, namespaces: ["pay", "shop"])
        let line = try #require(status.concluded.lines.first)
        #expect(line.text == "21 events of another process wait for a tracker of pay and shop, oldest 2 h")
        #expect((line.level, line.topic) == (.warning, .tracker))
    }

    @Test("a stale version is news, one that was changed without its version a warning")
    func pending() {
        var status = quiet
        status.pending = ConfigurationChange(.stale(version: 3, newest: nil), at: now)
        #expect(status.concluded.lines.map(\.level) == [.news, .normal])
        #expect(status.concluded.lines.first?.text == "Version 3 was ignored: a version that is in use is newer")
        #expect(status.concluded.lines.first?.version == 3)
        status.pending = ConfigurationChange(.unchanged(version: 5, isOtherContent: true), at: now)
        #expect(status.concluded.lines.map(\.level) == [.warning, .normal])
    }

    @Test("the warnings of the document are one line")
    func warnings() {
        var status = quiet
        status.document.warnings = [
            ConfigurationError(.warning, place: "configurationBundle[0].appid", reason: "an unknown key, ignored"),
            ConfigurationError(.warning, place: "oddity", reason: "an unknown key, ignored"),
        ]
        let text =
            "Version 5 has 2 warnings: configurationBundle[0].appid: an unknown key, ignored, and 1 more"
        #expect(status.concluded.lines.map(\.text) == [text, "Version 5 in use"])
        #expect(status.concluded.lines.map(\.level) == [.warning, .normal])
    }

    @Test("waiting events that fail although others are delivered are a warning")
    func setAside() {
        var status = quiet
        var tracker = TrackerStatus(namespace: "shop")
        (tracker.waiting, tracker.setAside) = (12, 2)
        status.trackers = [tracker]
        #expect(status.concluded.lines.first?.level == .warning)
        #expect(
            status.concluded.lines.first?.text
                == "shop: 2 events set aside: others are delivered, these fail until expiry")
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
        let problems = status.concluded.lines.filter { $0.level == .problem }
        #expect(problems.map(\.namespace) == [nil, "t49", "t48", "t47", "t46", "t45", nil])
        #expect(problems.first?.text == "50 of 50 trackers cannot deliver: 1275 events waiting; nothing lost yet")
        #expect(problems.first?.since == now - 60)
        #expect(problems.last?.text == "45 more trackers cannot deliver")
        #expect(problems[1].text == "t49: failing: the collector answered 503, 3 tries, 50 events waiting")
        #expect(status.concluded.failing.count == 50)
    }

    @Test("a rejected version names its author, and the version that stays in use")
    func rejected() {
        var status = quiet
        var error = ConfigurationError(.outOfRange, place: "a", reason: "too many")
        (error.version, error.author) = (6, "dana, INC-412")
        status.pending = ConfigurationChange(.rejected(error), at: now)
        // As often as it is polled.
        status.pending?.count = 4
        let line = status.concluded.lines.first
        #expect(line?.text == "Version 6 was rejected: a: too many; published by dana, INC-412; version 5 stays in use")
        #expect((line?.level, line?.version) == (.problem, 6))
        status.document = DocumentStatus()
        #expect(status.concluded.lines.last?.text.hasSuffix("published by dana, INC-412") == true)
    }

    @Test("a reverted version is a warning until another one is applied")
    func reversion() {
        var status = quiet
        let reverted = ConfigurationChange(
            kind: .reverted, version: 6, text: "version 6 was reverted: slow", time: now, needsAttention: true)
        let override = ConfigurationChange(kind: .overrideSet, text: "t", time: now, needsAttention: false)
        status.changes = [override, reverted]
        #expect(status.concluded.lines.first?.text == "Version 6 was reverted: slow")
        #expect(status.concluded.lines.first?.level == .warning)
        // One that may crash processes waits to be released.
        status.heldVersions = [6]
        #expect(status.concluded.lines.first?.level == .problem)
        status.heldVersions = []
        status.changes = [ConfigurationChange(.applied(version: 7, namespaces: []), at: now), reverted]
        #expect(status.concluded.lines.map(\.level) == [.normal])
        // After a switch to a user without a document it is a former user's.
        status.changes = [reverted]
        status.document = DocumentStatus()
        #expect(status.concluded.lines.map(\.text) == ["No document and no default in use: there are no trackers"])
    }

    /// A tracker that delivers.
    private func tracker(_ namespace: String, sent: Int = 0) -> TrackerStatus {
        var tracker = TrackerStatus(namespace: namespace)
        (tracker.lastMinute.sent, tracker.lastHour.sent, tracker.counters.sent) = (sent, sent, sent)
        (tracker.lastMinute.tracked, tracker.counters.tracked) = (sent, sent)
        return tracker
    }

    /// A tracker whose collector answers 503.
    private func failing(_ namespace: String, waiting: Int, oldest: Double) -> TrackerStatus {
        var tracker = TrackerStatus(namespace: namespace)
        (tracker.waiting, tracker.oldestEventTime, tracker.failingSince) = (waiting, now - oldest, now - oldest)
        (tracker.consecutiveFailures, tracker.lastFailingResponse) = (2, "the collector answered 503")
        return tracker
    }

    /// A tracker whose collector answers 400.
    private func losing(_ namespace: String, dropped: Int) -> TrackerStatus {
        var tracker = TrackerStatus(namespace: namespace)
        (tracker.lastMinute.dropped, tracker.lastHour.dropped, tracker.lossReasons) = (dropped, dropped, [.rejected])
        (tracker.failingSince, tracker.lastFailingResponse) = (now - 30, "the collector answered 400")
        tracker.lastFailingResponseTime = now - 3
        return tracker
    }

    @Test("a dead collector is one problem, however many trackers it has, and names its host")
    func collectors() {
        var status = quiet
        func at(_ port: Int, _ tracker: TrackerStatus) -> TrackerStatus {
            var tracker = tracker
            tracker.collector = "http://127.0.0.1:\(port)/"
            return tracker
        }
        var search = at(8402, failing("search", waiting: 100, oldest: 32))
        var payments = at(8402, failing("payments", waiting: 45, oldest: 10))
        for response in ["Failed to connect to 127.0.0.1 port 8402", "127.0.0.1:8402 answered 503"] {
            (search.lastFailingResponse, payments.lastFailingResponse) = (response, response)
            status.trackers = [payments, search, tracker("web", sent: 3)]
            let problems = status.concluded.lines.filter { $0.level == .problem }
            let start = response.hasSuffix("503") ? response : "127.0.0.1:8402 does not answer"
            #expect(
                problems.map(\.text) == [
                    "\(start): search and payments cannot deliver: 145 events waiting, oldest 32 s; nothing lost yet"
                ])
            #expect(problems.first?.since == now - 32)
        }
        // With which version it began, if that is the same.
        (search.failingSinceVersion, search.failingSinceSettings) = (7, ["network.endpoint"])
        (payments.failingSinceVersion, payments.failingSinceSettings) = (7, ["network.endpoint"])
        status.trackers = [payments, search]
        let start = "127.0.0.1:8402 answered 503 since version 7 changed their endpoint: "
        #expect(status.concluded.lines.first?.text.hasPrefix(start) == true)
        #expect(status.concluded.lines.first?.version == 7)
        // Two collectors are two problems, after their sum.
        status.trackers = [search, payments, at(9, failing("web", waiting: 1, oldest: 1))]
        #expect(
            status.concluded.lines.map(\.text).prefix(3).map { $0.prefix(29) } == [
                "3 of 3 trackers cannot delive", "127.0.0.1:8402 answered 503 s", "web: failing: the collector a",
            ])
        // One that did not answer and one that did: the last failure is told as such.
        search.lastFailingResponse = "Failed to connect to 127.0.0.1 port 8402"
        (search.lastFailingResponseTime, payments.lastFailingResponseTime) = (now - 9, now - 3)
        status.trackers = [search, payments]
        let mixed = "127.0.0.1:8402 answered 503 (the last failure) since version 7"
        #expect(status.concluded.lines.first?.text.hasPrefix(mixed) == true)
        // What is lost while the collector takes events is no fault of the collector.
        status.trackers = [at(9, losing("a", dropped: 1)), at(9, losing("b", dropped: 3))].map { tracker in
            var tracker = tracker
            tracker.failingSince = nil
            return tracker
        }
        #expect(
            status.concluded.lines.first?.text.hasPrefix("2 of 2 trackers are losing events: 4 events dropped") == true)
        #expect(!status.concluded.lines.contains { $0.text.contains("does not answer") })
        // Many collectors are folded as many trackers are.
        status.trackers = (0..<40).map { at($0 / 2, failing("n\($0)", waiting: 1, oldest: 1)) }
        let many = status.concluded.lines.filter { $0.level == .problem }
        #expect(many.count == 7, "\(many.map(\.text))")
    }

    @Test("after an outage in which none was lost, its length is news for an hour")
    func outage() {
        var status = quiet
        var search = tracker("search", sent: 9)
        (search.lastOutageEnd, search.lastOutageSeconds) = (now - 300, 125)
        func news() -> [String] { status.concluded.lines.filter { $0.level == .news }.map(\.text) }
        status.trackers = [search]
        #expect(news() == ["search could not deliver for 2 min until 5 min ago, nothing lost"])
        var payments = tracker("payments", sent: 9)
        (search.collector, payments.collector) = ("http://c.example/", "https://c.example/other")
        (payments.lastOutageEnd, payments.lastOutageSeconds) = (now - 300, 10)
        payments.collector = search.collector
        status.trackers = [payments, search]
        #expect(
            news() == ["payments and search could not deliver for up to 2 min until 5 min ago, nothing lost"])
        // Events that were dropped earlier may have been lost in it.
        search.counters.droppedByReason[.rejected] = 1
        status.trackers = [search]
        #expect(news() == ["search could not deliver for 2 min until 5 min ago"])
        search.counters.droppedByReason = [:]
        // The clock was turned back.
        search.lastOutageEnd = now + 60
        status.trackers = [search]
        #expect(news() == [])
        search.lastOutageEnd = now - 300
        search.lastHour.dropped = 1
        status.trackers = [search]
        #expect(news() == [])
        search.lastHour.dropped = 0
        search.lastOutageEnd = now - 3600
        status.trackers = [search]
        #expect(news() == [])
    }

    @Test("lost events come before events that wait, a rollback before a rejection, and those before the rest")
    func harm() {
        var status = quiet
        status.trackers = [
            failing("checkout", waiting: 200, oldest: 49), losing("payments", dropped: 24),
            failing("search", waiting: 65, oldest: 30), tracker("web", sent: 319),
        ]
        status.changes = [
            ConfigurationChange(
                kind: .reverted, version: 6, text: "version 6 was reverted: slow", time: now, needsAttention: true)
        ]
        let error = ConfigurationError(.outOfRange, place: "a", reason: "too many")
        status.pending = ConfigurationChange(.rejected(error), at: now)
        status.eventStoreFailure = EventStoreFailure(since: now, text: "the disk is full")
        status.document.warnings = [ConfigurationError(.warning, place: "oddity", reason: "an unknown key, ignored")]
        #expect(
            status.concluded.lines.map(\.text) == [
                "payments: losing events: the collector answered 400, 24 events dropped in the last hour (rejected)",
                "2 of 4 trackers cannot deliver: 265 events waiting, oldest 49 s",
                "checkout: failing: the collector answered 503, 2 tries, 200 events waiting (oldest 49 s)",
                "search: failing: the collector answered 503, 2 tries, 65 events waiting (oldest 30 s)",
                "The document was rejected: a: too many; version 5 stays in use", "The disk is full",
                "Version 6 was reverted: slow",
                "Version 5 has 1 warning: oddity: an unknown key, ignored", "Version 5 in use",
                "Delivering 319 events/min (1 of 4 trackers)",
            ])
    }

    @Test("several trackers that lose events have a total, with the one that loses most first")
    func losses() {
        var status = quiet
        status.trackers = [losing("a", dropped: 1), losing("b", dropped: 3)]
        let texts = status.concluded.lines.map(\.text)
        #expect(texts.first == "2 of 2 trackers are losing events: 4 events dropped in the last hour (rejected)")
        #expect(texts.dropFirst().first?.hasPrefix("b: losing events: the collector answered 400, 3 events") == true)
        #expect(texts.contains { $0.hasPrefix("a: losing events: the collector answered 400, 1 event dropped") })
    }

    @Test("the room of the stores is by the rate of the last minute; with less than an hour it comes first")
    func room() {
        var status = quiet
        var (small, large) = (failing("a", waiting: 100, oldest: 10), failing("b", waiting: 200, oldest: 20))
        (small.lastMinute.tracked, small.storeUsedBytes, small.storeCapacityBytes) = (10, 1000, 11_000)
        (large.lastMinute.tracked, large.storeUsedBytes, large.storeCapacityBytes) = (10, 1000, 31_000)
        status.trackers = [small, large]
        // Of the first 1000 events have room, of the second 6000.
        #expect(
            status.concluded.lines.first?.text
                == "2 of 2 trackers cannot deliver: 300 events waiting, oldest 20 s; nothing lost yet, room for about 100 min"
        )
        #expect(
            status.concluded.lines[1].text.hasPrefix("b: ")
                && status.concluded.lines[1].text.hasSuffix(", room for about 10 h"))
        // The number of events has a bound too.
        small.storeCapacityEvents = 400
        status.trackers = [small, large]
        #expect(
            status.concluded.lines.first?.text
                == "a: failing: the collector answered 503, 2 tries, 100 events waiting (oldest 10 s), room for about 30 min"
        )
        (small.storeCapacityEvents, small.storeCapacityBytes) = (nil, nil)
        status.trackers = [small]
        #expect(status.concluded.lines.first?.text.contains("room") == false)
    }

    @Test("what is delivered is of the trackers that work, and none is dropped only if no tracker has lost an event")
    func delivery() {
        func line(_ trackers: TrackerStatus...) -> StatusLine? {
            var status = quiet
            status.trackers = trackers
            return status.concluded.lines.last { $0.topic == .tracker }
        }
        #expect(line(tracker("a", sent: 1))?.text == "Delivering 1 event/min (1 tracker), none dropped")
        let two = line(tracker("a", sent: 300), tracker("b", sent: 19))
        #expect((two?.text, two?.level) == ("Delivering 319 events/min (2 trackers), none dropped", .normal))
        var lossy = tracker("b", sent: 19)
        lossy.counters.droppedByReason = [.rejected: 1]
        #expect(line(tracker("a", sent: 300), lossy)?.text == "Delivering 319 events/min (2 trackers)")
        // What code leaves out is no loss.
        lossy.counters.droppedByReason = [.filtered: 1]
        #expect(line(lossy)?.text == "Delivering 19 events/min (1 tracker), none dropped")
        let some = line(tracker("a", sent: 319), failing("b", waiting: 1, oldest: 1), tracker("c", sent: 0))
        #expect(some?.text == "Delivering 319 events/min (2 of 3 trackers)")
        let idle = line(tracker("a"), tracker("b"))
        #expect((idle?.text, idle?.level) == ("No events tracked since the start (2 trackers)", .news))
        var buffered = tracker("a")
        (buffered.counters.tracked, buffered.waiting) = (1, 1)
        let unsent = line(buffered)
        #expect((unsent?.text, unsent?.level) == ("No events sent since the start, 1 event waiting (1 tracker)", .news))
        var quietNow = tracker("a", sent: 40)
        quietNow.lastMinute.sent = 0
        let pause = line(quietNow)
        #expect(pause?.text == "No events sent in the last minute, 40 in the last hour (1 tracker)")
        #expect(pause?.level == .normal)
        quietNow.lastHour.sent = 0
        let silent = line(quietNow)
        #expect((silent?.text, silent?.level) == ("No events sent in the last hour (1 tracker)", .news))
    }

    @Test("events that a full store has dropped have nothing to do with the last answer")
    func storeFull() {
        var status = quiet
        var tracker = losing("payments", dropped: 64)
        (tracker.lastMinute.dropped, tracker.failingSince, tracker.lossReasons) = (0, nil, [.storeFull])
        status.trackers = [tracker]
        #expect(status.concluded.lines.first?.text == "payments: 64 events dropped in the last hour (storeFull)")
    }

    @Test("a canary says how long it bakes, which requests fail, and when it is reverted")
    func baking() throws {
        var status = quiet
        var rollout = RolloutStatus(version: 5, percent: 12.5, isIncluded: true, state: .baking, bakeEnd: now + 64)
        status.rollout = rollout
        #expect(
            status.concluded.lines.map(\.text).first == "Version 5, canary 12.5 %: baking on this instance, 64 s left")
        #expect(status.concluded.lines.first?.level == .news)
        rollout.trackers = [
            "payments": .init(failureRateAfter: 1, requests: 9, failedRequests: 9),
            "search": .init(failureRateAfter: 1, requests: 7, failedRequests: 7),
            "web": .init(failureRateAfter: 0, requests: 3),
        ]
        rollout.expectedRevertTime = now + 10
        status.rollout = rollout
        #expect(
            status.concluded.lines.first?.text == "Version 5, canary 12.5 %: baking on this instance, 64 s left;"
                + " payments 9 of 9 requests failed and search 7 of 7; reverts within 10 s")
        #expect((status.concluded.lines.first?.level, status.concluded.lines.first?.version) == (.warning, 5))
        // The name is cut, and not the counts.
        rollout.trackers = [
            String(repeating: "n", count: 4096): .init(failureRateAfter: 1, requests: 64, failedRequests: 12)
        ]
        status.rollout = rollout
        #expect(status.concluded.lines.first?.text.contains("nnn… 12 of 64 requests failed; reverts") == true)
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
