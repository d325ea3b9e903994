import FoundationEssentials
import TestSupport
import Testing
import TrackerFeatures
import TrackerTesting

@testable import TrackerConfig

/// What hints of a source lead to, without an updater.
@Suite("Hints in the life of a configuration", .endsWhenItHangs)
struct StreamLifecycleTests {
    typealias Lifecycle = ConfigurationLifecycle

    /// A lifecycle that polls each minute.
    private struct Life {
        var lifecycle: Lifecycle
        let host = RecordingHost()

        init(polls interval: Duration? = .seconds(60)) {
            lifecycle = Lifecycle(Lifecycle.Settings(pollInterval: interval, startTime: 1_700_000_000_000))
        }

        var stream: ChangeStream { lifecycle.stream }

        /// Lets something happen.
        /// - Returns: What it leads to.
        @discardableResult
        mutating func run(_ event: (inout Lifecycle, RecordingHost) -> Void) -> [String] {
            event(&lifecycle, host)
            return host.takeNames()
        }

        mutating func hint(_ version: Int? = nil, spread: Duration? = nil) -> [String] {
            take(ChangeHint(version: version, spread: spread))
        }

        mutating func take(_ hint: ChangeHint) -> [String] { run { $0.hinted(hint, $1.number, $1) } }

        mutating func end(_ failure: FetchError? = FetchError(.transport, reason: "the peer is gone")) -> [String] {
            run { $0.streamEnded(failure, $1.number, $1) }
        }

        /// The timer elapses.
        @discardableResult
        mutating func elapse(_ timer: Lifecycle.Timer) -> [String] {
            guard let duration = host.timers.removeValue(forKey: timer) else { return ["no timer"] }
            host.uptime += duration
            return run { $0.elapsed(timer, $1) }
        }

        /// The source answers; nil that the document has not changed.
        mutating func answer(_ version: Int?, error: FetchError? = nil) throws -> [String] {
            if let error { return run { $0.fetched(.failed(error), $1) } }
            guard let version else { return run { $0.fetched(.notModified, $1) } }
            let bytes = Array(DocumentText.document(version).utf8)
            let source = FetchedDocument(bytes, validators: DocumentValidators(entityTag: "\(version)"))
            let fetched = Lifecycle.ReviewedDocument(try Document(bytes), source)
            return run { $0.fetched(.document(fetched), $1) }
        }

        /// Starts with a version and an open stream, whose fetch follows the one that may have asked too early.
        mutating func begin(with version: Int = 1) throws {
            #expect(run { $0.start(nil, $1) } == ["fetch", "open"])
            #expect(hint().isEmpty)
            #expect(try answer(version) == ["applied", "fetch"])
            #expect(try answer(nil) == ["notModified"])
        }

        /// Warnings and news of the log.
        var shown: [String] { host.lines.filter { !$0.hasPrefix("debug") } }
    }

    // MARK: - Connections

    @Test("a source without a stream is asked again after each fetch that succeeds")
    func missing() throws {
        var life = Life()
        life.host.hasStream = false
        life.run { $0.start(nil, $1) }
        life.host.hasStream = true
        #expect(!life.stream.isOffered)
        #expect(try life.answer(nil, error: FetchError(.transport, reason: "nothing")) == ["failed"])
        #expect(life.elapse(.poll) == ["fetch"])
        #expect(try life.answer(1) == ["applied", "open"])
    }

    @Test("a stream that fails is opened again after a pause that doubles, and logged once")
    func pauses() throws {
        var life = Life()
        try life.begin()
        var waits: [String] = []
        for _ in 0..<8 {
            waits += life.end()
            #expect(life.elapse(.stream) == ["open"])
        }
        #expect(waits == ["0.5", "1.0", "2.0", "4.0", "8.0", "16.0", "30.0", "30.0"].map { "stream \($0) seconds" })
        #expect(life.stream.isFailing && life.stream.failures?.count == 8)
        #expect(life.hint() == ["hint 30.0 seconds"])
        #expect(!life.stream.isFailing)
        // It goes on to fail within a minute.
        for _ in 0..<3 {
            _ = life.end()
            life.elapse(.stream)
            _ = life.hint()
        }
        #expect(life.stream.failures?.count == 11 && life.stream.connections == 5)
        #expect(
            life.shown == [
                "info the stream of changes is open", "warning the peer is gone; polling goes on",
                "info the stream of changes is open again",
            ])
    }

    @Test("a connection that lasted a minute is no failure when its server ends it; a shorter one is")
    func lasting() throws {
        var life = Life()
        try life.begin()
        for (end, wait) in [(nil, "0.5"), (FetchError(.closed, reason: "", retryAfter: .seconds(2)), "2.5")] {
            life.host.uptime += .seconds(60)
            #expect(life.end(end) == ["stream \(wait) seconds"])
            #expect(life.stream.failures == nil)
            life.elapse(.stream)
            _ = life.hint()
        }
        life.host.uptime += .seconds(59)
        #expect(life.end(nil) == ["stream 1.0 seconds"])
        #expect(life.stream.failures?.text == "the source closed its stream of changes within a minute")
    }

    @Test("what a server asks for is waited for, and one that refuses is asked again after a fetch that succeeds")
    func refused() throws {
        for status in [204, 400, 404, 408, 429, 503] {
            let isRefusal = [204, 400, 404].contains(status)
            let refusal = FetchError(.status, reason: "no", retryAfter: .seconds(90), status: status)
            var life = Life()
            try life.begin()
            #expect(life.end(refusal) == (isRefusal ? [] : ["stream 90.5 seconds"]))
            life.elapse(.poll)
            #expect(try life.answer(nil, error: FetchError(.timeout, reason: "none")) == ["failed"])
            life.elapse(.poll)
            #expect(try life.answer(nil) == ["notModified"] + (isRefusal ? ["open"] : []))
            // Without polls no fetch follows, and a pause has to do.
            life = Life(polls: nil)
            try life.begin()
            #expect(life.end(refusal) == ["stream 90.5 seconds"])
        }
    }

    // MARK: - Hints

    @Test("one that replaced the first hint of its connection is a change too, and one during a fetch leads to another")
    func overtaken() throws {
        var life = Life()
        life.run { $0.start(nil, $1) }
        #expect(life.hint(2).isEmpty)
        #expect(try life.answer(1) == ["applied", "fetch"])
        #expect(life.stream.isOpen)
        #expect(life.hint().isEmpty)
        #expect(try life.answer(2) == ["applied", "hint 1.0 seconds"])
        #expect(life.elapse(.hint) == ["fetch"])
    }

    @Test("a part that cannot be read is logged once, and the document fetched")
    func unreadable() throws {
        var life = Life()
        try life.begin()
        let hint = ChangeHint(json: Array(#"{"version":2,"spread":"x"}"#.utf8))
        #expect(life.take(hint) == ["fetch"])
        for _ in 0..<3 { _ = life.take(hint) }
        let lines = life.host.lines.filter { $0.hasPrefix("warning") }
        #expect(lines.count == 1 && lines[0].contains("spread: expected a number"), "\(life.host.lines)")
    }

    @Test("a spread is waited for a random part of, and a fetch that begins meanwhile is enough")
    func spread() throws {
        var life = Life()
        try life.begin()
        #expect(life.hint(2, spread: .seconds(30)) == ["hint 15.0 seconds"])
        #expect(life.hint(2, spread: .seconds(30)).isEmpty)
        #expect(life.elapse(.poll) == ["cancel hint", "fetch"])
        #expect(try life.answer(2) == ["applied"])
        life.host.uptime += .seconds(1)
        #expect(life.hint(3, spread: .seconds(30)) == ["hint 15.0 seconds"])
        #expect(life.hint(4) == ["cancel hint", "fetch"])
    }

    @Test("a source that is slower than its hint is asked again, with growing pauses, until the poll")
    func slow() throws {
        var life = Life()
        try life.begin()
        life.host.lines = []
        #expect(life.hint(2) == ["fetch"])
        var waits: [Duration] = []
        while case let names = try life.answer(nil), names.count > 1, let wait = life.host.timers[.hint] {
            waits.append(wait)
            #expect(life.elapse(.hint) == ["fetch"])
        }
        #expect(waits == [3, 6, 12, 24, 48].map { .seconds($0) })
        let line = "warning a hint named version 2, and the source does not have it; the next poll may find it"
        #expect(life.host.lines == [line])
        // What is known to be missing is not asked for as often again.
        #expect(life.hint(2) == ["hint 60.0 seconds"])
        // A higher version is news.
        #expect(life.hint(3) == ["hint 1.0 seconds"])
    }

    @Test("a fetch that fails is repeated with growing pauses until the poll; without polls, while the stream is open")
    func failing() throws {
        let error = FetchError(.status, reason: "busy", retryAfter: .seconds(7), status: 503)
        for interval in [Duration.seconds(60), nil] {
            var life = Life(polls: interval)
            try life.begin()
            _ = life.hint(2)
            var waits: [Duration] = []
            for _ in 0..<7 {
                _ = try life.answer(nil, error: error)
                guard let wait = life.host.timers[.hint] else { break }
                waits.append(wait - .seconds(7))
                life.elapse(.hint)
            }
            #expect(waits == ([4, 8, 16, 32, 64] + (interval == nil ? [120, 120] : [])).map { .seconds($0) })
            if interval != nil { life.elapse(.poll) }
            #expect(try life.answer(2) == ["applied"])
            #expect(life.host.timers[.hint] == nil)
        }
    }
}
