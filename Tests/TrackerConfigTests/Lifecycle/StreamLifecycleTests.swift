import FoundationEssentials
import TestSupport
import Testing
import TrackerCore
import TrackerTesting

@testable import TrackerConfig

/// What signals of a source lead to, without an updater.
@Suite("Signals in the life of a configuration", .endsWhenItHangs)
struct StreamLifecycleTests {
    typealias Lifecycle = ConfigurationLifecycle

    /// A lifecycle that polls each minute, with a clock of the test's own. Every draw is one half.
    private struct Life {
        static let url = "https://config.example/.json"

        var lifecycle: Lifecycle
        var uptime = Duration.seconds(1000)
        var log: [String] = []
        var stream = 0
        var timers: [Lifecycle.Timer: Duration] = [:]

        init(polls interval: Duration? = .seconds(60), instance: String? = nil) {
            let scope = UserScope(user: nil, url: Self.url, sharedURL: Self.url)
            let history = VersionHistory(
                directory: nil, url: Self.url,
                identity: VersionHistory.Identity(
                    crashGuard: nil, instanceID: instance, random: Halves(), time: ManualTime()))
            let documents = UserDocuments(scope, MemorySource(""), own: history)
            lifecycle = Lifecycle(Lifecycle.Settings(pollInterval: interval, startTime: 1_700_000_000_000), documents)
        }

        var moment: Lifecycle.Moment {
            let time = 1_700_000_000_000 + Int64((uptime - .seconds(1000)) / .milliseconds(1))
            return Lifecycle.Moment(time: time, uptime: uptime, random: Halves())
        }

        /// Sends an event, and applies what it asks to be applied.
        /// - Returns: The names of the actions that a source or a timer sees.
        @discardableResult
        mutating func send(_ event: Lifecycle.Event) -> [String] {
            var names: [String] = []
            for action in lifecycle.handle(event, at: moment) {
                switch action {
                case .fetch: names.append("fetch")
                case .adopt: names.append("adopt")
                case .openStream(let number):
                    stream = number
                    names.append("open")
                case .closeStream: names.append("close")
                case .startTimer(let timer, let duration):
                    timers[timer] = duration
                    if timer == .stream || timer == .signal { names.append("\(timer) \(duration)") }
                case .cancelTimer(let timer):
                    let wasRunning = timers.removeValue(forKey: timer) != nil
                    if wasRunning, timer != .staleness { names.append("cancel \(timer)") }
                case .apply: names += send(.applied(Lifecycle.ApplyResult(namespaces: [])))
                case .log(let level, let text, _): log.append("\(level) \(text)")
                case .report(let outcome, nil, _): names.append("told \(outcome.kind)")
                case .report(let outcome, _, _): names.append("\(outcome.kind)")
                default: break
                }
            }
            return names
        }

        mutating func signal(_ signal: SourceSignal) -> [String] { send(.signalled(signal, stream)) }

        /// The timer elapses.
        mutating func elapse(_ timer: Lifecycle.Timer) -> [String] {
            guard let duration = timers.removeValue(forKey: timer) else { return ["no timer"] }
            uptime += duration
            return send(timer == .stream ? .streamElapsed : timer == .signal ? .signalElapsed : .pollElapsed)
        }

        /// The source answers; nil that the document has not changed.
        mutating func answer(_ version: Int?, error: FetchError? = nil) throws -> [String] {
            let fetch = lifecycle.nextFetch
            if let error { return send(.fetched(fetch, .failed(error))) }
            guard let version else { return send(.fetched(fetch, .notModified)) }
            return send(.fetched(fetch, .document(try StreamLifecycleTests.fetched(version))))
        }

        /// Starts with a version and an open stream, whose first fetch is over.
        mutating func begin(with version: Int = 1) throws {
            #expect(send(.started) == ["fetch", "open"])
            _ = signal(.connected)
            #expect(try answer(version) == ["applied", "fetch"])
            #expect(try answer(nil) == ["notModified"])
        }

        func count(_ kind: NamedCode<SourceSignal>) -> Int { lifecycle.streamState.counts[kind, default: 0] }
    }

    private static func fetched(_ version: Int, more: String = "") throws -> Lifecycle.FetchedConfiguration {
        let bytes = Array(DocumentText.document(version, more: more).utf8)
        return Lifecycle.FetchedConfiguration(
            document: try Document(bytes),
            source: FetchedDocument(bytes, validators: DocumentValidators(entityTag: "\(version)")))
    }

    // MARK: - Connections

    @Test("a connection begins with a fetch, after the one that may have asked too early")
    func connected() throws {
        var life = Life()
        #expect(life.send(.started) == ["fetch", "open"])
        #expect(life.signal(.connected).isEmpty)
        #expect(try life.answer(1) == ["applied", "fetch"])
        #expect(try life.answer(nil) == ["notModified"])
        #expect(life.log == ["info the source signals changes"])
    }

    @Test("a source without signals is asked again after each fetch that succeeds")
    func missing() throws {
        var life = Life()
        life.send(.started)
        life.send(.streamMissing)
        let error = FetchError(.transport, reason: "nothing")
        #expect(try life.answer(nil, error: error) == ["failed"])
        #expect(life.elapse(.poll) == ["fetch"])
        #expect(try life.answer(1) == ["applied", "open"])
    }

    @Test("a source that offers a stream no more has none that is down")
    func withdrawn() throws {
        var life = Life()
        try life.begin()
        _ = life.signal(.disconnected(FetchError(.status, reason: "gone", status: 404)))
        #expect(life.lifecycle.streamState.isOffered && life.lifecycle.streamState.isFailing)
        life.send(.streamMissing)
        #expect(!life.lifecycle.streamState.isOffered && !life.lifecycle.streamState.isFailing)
    }

    @Test("a stream that fails is opened again after a pause that doubles, and logged once")
    func pauses() throws {
        var life = Life()
        try life.begin()
        let failure = FetchError(.transport, reason: "the peer is gone")
        var waits: [String] = []
        for _ in 0..<8 {
            waits += life.signal(.disconnected(failure)).filter { $0.hasPrefix("stream") }
            #expect(life.elapse(.stream) == ["open"])
        }
        #expect(
            waits.map { $0.dropFirst(7) } == [
                "0.5 seconds", "1.0 seconds", "2.0 seconds", "4.0 seconds", "8.0 seconds", "16.0 seconds",
                "30.0 seconds", "30.0 seconds",
            ])
        #expect(
            life.log.dropFirst().filter { !$0.hasPrefix("debug") } == [
                "warning the peer is gone; polling goes on"
            ])
        let outage = try #require(life.lifecycle.streamState.outage)
        #expect(outage.failures.tries == 8)
        #expect(life.lifecycle.streamState.isFailing)
        _ = life.signal(.connected)
        #expect(!life.lifecycle.streamState.isFailing)
        #expect(life.log.last == "info the source signals changes again")
    }

    @Test("a connection that lasted a minute is no failure when its server ends it; a shorter one is")
    func lasting() throws {
        var life = Life()
        try life.begin()
        life.uptime += .seconds(60)
        #expect(life.send(.streamEnded(life.stream)) == ["close", "stream 0.5 seconds"])
        #expect(life.lifecycle.streamState.outage == nil)
        #expect(life.elapse(.stream) == ["open"])
        _ = life.signal(.connected)
        life.uptime += .seconds(60)
        let closed = FetchError(.closed, reason: "closed", retryAfter: .seconds(2))
        #expect(life.signal(.disconnected(closed)) == ["close", "stream 2.5 seconds"])
        #expect(life.lifecycle.streamState.outage == nil)
        #expect(life.elapse(.stream) == ["open"])
        _ = life.signal(.connected)
        life.uptime += .seconds(59)
        #expect(life.send(.streamEnded(life.stream)) == ["close", "stream 1.0 seconds"])
        #expect(
            life.lifecycle.streamState.outage?.failures.text
                == "the source closed the connection of its signals within a minute")
    }

    @Test("what a server asks for is waited for", arguments: [429, 503])
    func retryAfter(status: Int) throws {
        var life = Life()
        try life.begin()
        let failure = FetchError(.status, reason: "busy", retryAfter: .seconds(90), status: status)
        #expect(life.signal(.disconnected(failure)) == ["close", "stream 90.5 seconds"])
    }

    @Test("a server that refuses is asked again after the next fetch that succeeds", arguments: [204, 400, 404])
    func refused(status: Int) throws {
        let refusal = SourceSignal.disconnected(FetchError(.status, reason: "no", status: status))
        var life = Life()
        try life.begin()
        #expect(life.signal(refusal) == ["close"])
        _ = life.elapse(.poll)
        #expect(try life.answer(nil, error: FetchError(.timeout, reason: "none")) == ["failed"])
        _ = life.elapse(.poll)
        #expect(try life.answer(nil) == ["notModified", "open"])
        // Without polls no fetch follows, and a pause has to do.
        life = Life(polls: nil)
        try life.begin()
        #expect(life.signal(refusal) == ["close", "stream 0.5 seconds"])
    }

    @Test("a connection that ends again and again within a minute is one failure, logged once")
    func flapping() throws {
        var life = Life()
        try life.begin()
        life.log = []
        for _ in 0..<5 {
            life.uptime += .seconds(45)
            _ = life.signal(.disconnected(FetchError(.timeout, reason: "sent nothing for 45.0 seconds")))
            _ = life.elapse(.stream)
            _ = life.signal(.connected)
        }
        #expect(
            life.log.filter { !$0.hasPrefix("debug") } == [
                "warning sent nothing for 45.0 seconds; polling goes on", "info the source signals changes again",
            ])
        #expect(life.lifecycle.streamState.outage?.failures.tries == 5)
    }

    @Test("a change is one of an open connection, also if the signal that it is open was lost")
    func overtaken() throws {
        var life = Life()
        life.send(.started)
        #expect(try life.answer(1) == ["applied"])
        #expect(life.signal(.changed(version: 2)) == ["fetch"])
        #expect(life.lifecycle.streamState.isOpen)
    }

    @Test("signals of a connection that has ended, or of a former user's source, do nothing")
    func late() throws {
        var life = Life()
        try life.begin()
        let former = life.stream
        _ = life.signal(.disconnected(FetchError(.transport, reason: "gone")))
        #expect(life.send(.signalled(.changed(version: 2), former)).isEmpty)
        #expect(life.send(.streamEnded(former)).isEmpty)
        _ = life.elapse(.stream)
        let shared = UserScope(user: "u", url: "https://config.example/u.json", sharedURL: Life.url)
        let before = life.stream
        #expect(life.send(.userChanged(shared, fallback: nil)).suffix(2) == ["close", "open"])
        #expect(life.stream > before)
        #expect(life.send(.signalled(.changed(version: 2), before)).isEmpty)
    }

    @Test("a connection that comes back fetches after a random part of the time in which all poll, at most a minute")
    func catchUp() throws {
        for (interval, wait) in [(Duration.seconds(20), "10.0"), (.seconds(3600), "30.0")] {
            var life = Life(polls: interval)
            try life.begin()
            _ = life.signal(.disconnected(FetchError(.transport, reason: "gone")))
            _ = life.elapse(.stream)
            #expect(life.signal(.connected) == ["signal \(wait) seconds"])
            #expect(life.elapse(.signal) == ["fetch"])
        }
    }

    @Test("the end closes the stream")
    func stopped() throws {
        var life = Life()
        try life.begin()
        life.send(.stopped)
        #expect(life.signal(.changed(version: 2)).isEmpty)
        #expect(life.send(.streamElapsed).isEmpty)
        #expect(life.send(.signalElapsed).isEmpty)
    }

    // MARK: - Signals of changes

    @Test("a change is fetched at once, and the next poll is an interval after it")
    func changed() throws {
        var life = Life()
        try life.begin()
        life.uptime += .seconds(50)
        #expect(life.signal(.changed(version: 2)) == ["fetch"])
        life.timers[.poll] = nil
        #expect(try life.answer(2) == ["applied"])
        #expect(life.timers[.poll] == .seconds(60))
    }

    @Test("a version that is in use is not fetched, unless its tag is another one")
    func inUse() throws {
        var life = Life()
        try life.begin(with: 3)
        #expect(life.signal(.changed(version: 3)).isEmpty)
        #expect(life.signal(.changed(version: 3, entityTag: "3")).isEmpty)
        #expect(life.count(.ignored) == 2)
        #expect(life.signal(.changed(version: 3, entityTag: "other")) == ["fetch"])
    }

    @Test("a lower version is counted and logged once")
    func lower() throws {
        var life = Life()
        try life.begin(with: 3)
        life.log = []
        for _ in 0..<5 { #expect(life.signal(.changed(version: 2)).isEmpty) }
        #expect(life.count(.ignored) == 5)
        #expect(life.log == ["info a signal of version 2 is ignored: version 3 is in use"])
    }

    @Test("what cannot be read of a signal is counted and logged once, and the rest counts")
    func unreadable() throws {
        var life = Life()
        try life.begin()
        let signal = SourceSignal(json: Array(#"{"version":2,"spread":"x"}"#.utf8))
        #expect(life.signal(signal) == ["fetch"])
        #expect(try life.answer(2) == ["applied"])
        for _ in 0..<3 { #expect(life.signal(signal).isEmpty) }
        #expect(life.count(.unreadable) == 4)
        let lines = life.log.filter { $0.hasPrefix("warning") }
        #expect(lines.count == 1 && lines[0].contains("spread: expected a number"), "\(life.log)")
    }

    @Test("a spread is waited for a random part of, and a fetch that begins meanwhile is enough")
    func spread() throws {
        var life = Life()
        try life.begin()
        var signal = SourceSignal.changed(version: 2)
        signal.spread = .seconds(30)
        #expect(life.signal(signal) == ["signal 15.0 seconds"])
        #expect(life.signal(signal).isEmpty)
        #expect(life.elapse(.poll) == ["cancel signal", "fetch"])
        #expect(try life.answer(2) == ["applied"])
        signal.version = 3
        signal.spread = nil
        signal.subscribers = 5000
        #expect(life.signal(signal) == ["signal 2.5 seconds"])
        #expect(life.elapse(.signal) == ["fetch"])
        #expect(try life.answer(3) == ["applied"])
        life.uptime += .seconds(10)
        signal.version = 4
        #expect(life.signal(signal) == ["signal 2.5 seconds"])
        #expect(life.signal(.changed(version: 5)) == ["cancel signal", "fetch"])
    }

    @Test("a flood of signals leads to few fetches while they bring nothing")
    func flood() throws {
        var life = Life()
        try life.begin()
        var fetches = 0
        // Ten a second, for ten minutes.
        for _ in 0..<6_000 {
            life.uptime += .milliseconds(100)
            var names = life.signal(.changed())
            if let wait = life.timers[.signal] {
                life.timers[.signal] = wait - .milliseconds(100)
                if wait <= .milliseconds(100) {
                    life.timers[.signal] = nil
                    names += life.send(.signalElapsed)
                }
            }
            guard names.contains("fetch") else { continue }
            fetches += 1
            _ = try life.answer(nil)
        }
        #expect(5...20 ~= fetches, "\(fetches)")
    }

    @Test("signals of a version that is held back lead to few fetches")
    func heldBack() throws {
        var life = Life()
        try life.begin()
        var waits: [Duration] = []
        for _ in 0..<8 {
            if life.signal(.changed(version: 2)) != ["fetch"] {
                waits.append(life.timers[.signal] ?? .zero)
                #expect(life.elapse(.signal) == ["fetch"])
            }
            var fetched = try Self.fetched(2)
            fetched.review.objection = HoldReason(.notSelected, "it is for others")
            _ = life.send(.fetched(life.lifecycle.nextFetch, .document(fetched)))
        }
        #expect(waits.suffix(3) == [.seconds(16), .seconds(32), .seconds(60)])
    }

    @Test("a source that is slower than its signal is asked again, with growing pauses, until the poll")
    func slow() throws {
        var life = Life()
        try life.begin()
        life.log = []
        #expect(life.signal(.changed(version: 2)) == ["fetch"])
        var waits: [Duration] = []
        while true {
            let names = try life.answer(nil)
            guard names.count > 1, let wait = life.timers[.signal] else { break }
            waits.append(wait)
            #expect(life.elapse(.signal) == ["fetch"])
        }
        #expect(waits == [.seconds(3), .seconds(6), .seconds(12), .seconds(24), .seconds(48)])
        let line = "version 2 was signalled, and the source does not have it; the next poll may find it"
        #expect(life.log == ["warning \(line)"])
    }

    @Test("a fetch that fails is repeated with growing pauses until the poll, and not once the version is there")
    func enough() throws {
        var life = Life()
        try life.begin()
        _ = life.signal(.changed(version: 2))
        var waits: [Duration] = []
        for _ in 0..<10 {
            _ = try life.answer(nil, error: FetchError(.timeout, reason: "none"))
            guard let wait = life.timers[.signal] else { break }
            waits.append(wait)
            _ = life.elapse(.signal)
        }
        #expect(waits == [.seconds(4), .seconds(8), .seconds(16), .seconds(32), .seconds(64)])
        _ = life.elapse(.poll)
        #expect(try life.answer(2) == ["applied"])
        #expect(life.timers[.signal] == nil)
    }

    @Test("without polls a fetch that fails is repeated while the stream is open")
    func withoutPolls() throws {
        var life = Life(polls: nil)
        try life.begin()
        _ = life.signal(.changed(version: 2))
        let error = FetchError(.status, reason: "busy", retryAfter: .seconds(7), status: 503)
        #expect(try life.answer(nil, error: error) == ["failed", "signal 11.0 seconds"])
        #expect(life.elapse(.signal) == ["fetch"])
        #expect(try life.answer(2) == ["applied"])
    }

    @Test("a canary's signal wakes only the instances in its share")
    func share() throws {
        for isIncluded in [true, false] {
            let rollout = Rollout(percent: 30, seed: "s")
            let id = try #require(
                (0..<40).map { "i-\($0)" }.first { rollout.includes($0) == isIncluded })
            var life = Life(instance: id)
            try life.begin()
            var signal = SourceSignal.changed(version: 2)
            (signal.rolloutPercent, signal.rolloutSeed) = (30, "s")
            #expect(life.signal(signal) == (isIncluded ? ["fetch"] : []))
            #expect(life.count(.ignored) == (isIncluded ? 0 : 1))
        }
    }

    // MARK: - Documents

    @Test("a document that comes with a signal goes the way of a fetched one, beside fetches")
    func document() throws {
        var life = Life()
        try life.begin()
        _ = life.elapse(.poll)
        let fetched = try Self.fetched(2)
        #expect(life.signal(.document(fetched.source)) == ["adopt"])
        // Only the newest of those that come meanwhile is reviewed.
        #expect(life.signal(.document(try Self.fetched(3).source)).isEmpty)
        #expect(life.signal(.document(try Self.fetched(4).source)).isEmpty)
        var fetch = life.lifecycle.nextFetch
        fetch.isSignalled = true
        #expect(life.send(.fetched(fetch, .document(fetched))) == ["told applied", "adopt"])
        #expect(life.lifecycle.active?.version == 2)
        #expect(life.lifecycle.isFetching)
        #expect(life.send(.fetched(fetch, .document(try Self.fetched(4)))) == ["told applied"])
        #expect(life.lifecycle.active?.version == 4)
        #expect(try life.answer(nil) == ["notModified"])
    }

    @Test("an old document that comes with a signal is ignored; for one that cannot be used the source is asked")
    func badDocument() throws {
        var life = Life()
        try life.begin(with: 3)
        let old = try Self.fetched(2)
        _ = life.signal(.document(old.source))
        var fetch = life.lifecycle.nextFetch
        fetch.isSignalled = true
        #expect(life.send(.fetched(fetch, .document(old))).isEmpty)
        #expect(life.count(.ignored) == 1)
        #expect(life.lifecycle.history.pending == nil)
        _ = life.signal(.document(old.source))
        let error = ConfigurationError(.unverified, place: "", reason: "the verification failed")
        #expect(life.send(.fetched(fetch, .rejected(error))) == ["told rejected", "signal 30.0 seconds"])
    }
}
