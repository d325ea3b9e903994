import Foundation
import TestSupport
import Testing
import TrackerTesting

@testable import TrackerCore

@Suite("dead letters", .endsWhenItHangs)
struct DeadLetterTests {
    private let directory = TemporaryDirectory()

    private func rig(_ deadLetters: DeadLetters = .file(), seed: UInt64 = 1) -> Rig {
        Rig(
            directory: StateDirectory(path: directory.path, service: "tests"), deadLetters: deadLetters, seed: seed)
    }

    /// Lets a process drop events and end.
    @discardableResult
    private func reject(
        _ numbers: ClosedRange<Int>, _ deadLetters: DeadLetters = .file(), seed: UInt64 = 1,
        _ configure: (inout ConfigurationBundle) -> Void = { _ in }
    ) async throws -> Rig {
        let rig = rig(deadLetters, seed: seed)
        try await reject(numbers, in: rig, configure)
        await rig.pipeline.shutdown(timeout: .zero)
        return rig
    }

    @discardableResult
    private func reject(
        _ numbers: ClosedRange<Int>, in rig: Rig, _ configure: (inout ConfigurationBundle) -> Void = { _ in }
    ) async throws -> Tracker {
        rig.transport.respond { _ in .success(HTTPTransportResponse(status: 403)) }
        let tracker = try await rig.tracker("ns", configure)
        tracker.track(numbers)
        await tracker.flush(timeout: .seconds(60))
        return tracker
    }

    private func letters(_ filter: DeadLetter.Filter = DeadLetter.Filter()) throws -> [DeadLetter] {
        var letters: [DeadLetter] = []
        let failures = try DeadLetterFiles(directory: directory.path).forEach(filter) { letters.append($0) }
        #expect(failures == [])
        return letters
    }

    private func actions(_ letters: [DeadLetter]) -> [String] {
        letters.map { $0.event.members?.first { $0.name == "se_ac" }?.value.string ?? "?" }
    }

    @Test(
        "dropped events outlive the process, byte for byte, with their reason, time and anonymity",
        arguments: [true, false])
    func outlives(isAnonymous: Bool) async throws {
        let ended = try await reject(1...3) { $0.emitter?.serverAnonymisation = isAnonymous }
        let body = try #require(ended.transport.requests.first?.body)
        let letters = try letters()
        #expect(actions(letters) == ["1", "2", "3"])
        for letter in letters {
            #expect((letter.namespace, letter.reason, letter.isAnonymous) == ("ns", "rejected", isAnonymous))
            #expect(letter.time == ended.time.wallTime)
            // The request has the sending time within each event.
            #expect(body.firstRange(of: letter.payload.dropLast()) != nil)
            #expect(letter.payload.last == UInt8(ascii: "}"))
        }
    }

    @Test("nothing is kept unless it is asked for")
    func isOff() async throws {
        try await reject(1...3, .off)
        #expect(try letters().isEmpty)
    }

    @Test("what a running process kept can be read, and filtered")
    func readsRunning() async throws {
        let rig = rig()
        let tracker = try await reject(1...3, in: rig)
        rig.transport.respond { _ in .success(HTTPTransportResponse(status: 503)) }
        try tracker.emitter.set(\.retryFailedRequests, to: false)
        await tracker.followed()
        tracker.track(4...4)
        await tracker.flush()
        #expect(actions(try letters()) == ["1", "2", "3", "4"])
        #expect(actions(try letters(DeadLetter.Filter(reason: .notRetried))) == ["4"])
        #expect(try letters(DeadLetter.Filter(namespace: "elsewhere")).isEmpty)
        #expect(actions(try letters(DeadLetter.Filter(namespace: "ns", reason: .rejected))) == ["1", "2", "3"])
        await rig.pipeline.shutdown(timeout: .zero)
    }

    @Test("events that the bounds of the store drop are kept too")
    func keepsBounded() async throws {
        let rig = rig()
        let tracker = try await rig.tracker { $0.emitter?.maxEventStoreSize = 5 }
        tracker.emitter.pause()
        await tracker.followed()
        tracker.track(1...9)
        #expect(await tracker.storedCounters().droppedByReason == [.storeFull: 4])
        await rig.pipeline.shutdown(timeout: .zero)
        #expect(actions(try letters()) == ["1", "2", "3", "4"])
        #expect(Set(try letters().map(\.reason)) == ["storeFull"])
    }

    @Test("the oldest give way to the bound in bytes")
    func boundsBytes() async throws {
        let one = try #require(
            try await {
                try await reject(101...101); return try letters().first
            }())
        let size = one.payload.count
        // The bound is at least 1,000.
        #expect(size > 170)
        let rig = rig(.file(maxBytes: 6 * size))
        try await reject(102...102, in: rig)
        #expect(actions(try letters()) == ["101", "102"])
        for number in 103...108 { try await reject(number...number, in: rig) }
        #expect(actions(try letters()) == (103...108).map(String.init))
        await rig.pipeline.shutdown(timeout: .zero)
    }

    @Test("those that are too old give way, also while nothing is dropped")
    func boundsAge() async throws {
        let rig = rig(.file(maxAge: .seconds(100)))
        let tracker = try await reject(1...1, in: rig)
        rig.time.advance(by: .seconds(60))
        tracker.track(2...2)
        await tracker.flush()
        rig.time.advance(by: .seconds(41))
        await rig.pipeline.tend()
        #expect(actions(try letters()) == ["2"])
        await rig.pipeline.shutdown(timeout: .zero)
    }

    @Test("a failure to keep events is counted and logged, and they are dropped all the same")
    func countsFailures() async throws {
        let rig = Rig(directory: nil, deadLetters: .file(), seed: 1)
        let tracker = try await reject(1...3, in: rig)
        #expect(tracker.counters.droppedByReason == [.rejected: 3])
        #expect(tracker.counters.deadLetterFailures == 3)
        #expect(
            rig.log.records.contains { record in
                record.level == .error && record.namespace == "ns"
                    && record.message == "3 dropped events could not be kept as dead letters: there is no store on disk"
            })
    }

    @Test("a process that keeps dead letters takes over those of dead ones; one that does not leaves them")
    func areAdopted() async throws {
        let living = rig(seed: 1)
        let tracker = try await living.tracker()
        _ = await tracker.storedCounters()
        try await reject(1...3, seed: 2)
        #expect(directory.names.contains("events-1.sqlite"))
        await living.pipeline.adoptAbandonedStores()
        #expect(!directory.names.contains("events-1.sqlite"))
        #expect(actions(try letters()) == ["1", "2", "3"])
        await living.pipeline.shutdown(timeout: .zero)
        let careless = rig(.off, seed: 3)
        _ = try await careless.tracker()
        try await reject(4...5, seed: 4)
        await careless.pipeline.adoptAbandonedStores()
        #expect(actions(try letters()).sorted() == ["1", "2", "3", "4", "5"])
        await careless.pipeline.shutdown(timeout: .zero)
    }

    @Test("they survive damage to the file, and its removal while the process runs")
    func survive() async throws {
        let rig = rig()
        let tracker = try await reject(1...3, in: rig)
        #expect(await rig.pipeline.replaceDamagedDisk())
        #expect(actions(try letters()) == ["1", "2", "3"])
        for name in directory.names where name.hasPrefix("events-0.sqlite") { unlink(directory.file(name)) }
        tracker.track(4...4)
        await tracker.flush()
        #expect(Set(actions(try letters())) == ["1", "2", "3", "4"])
        await rig.pipeline.shutdown(timeout: .zero)
    }

    @Test("events of a process that has ended are put back into the queue and sent once by the next")
    func requeues() async throws {
        try await reject(1...1200)
        let files = try DeadLetterFiles(directory: directory.path)
        let result = files.requeue(DeadLetter.Filter(namespace: "ns"))
        #expect((result.count, result.processes) == (1200, 0))
        #expect(result.failures == [])
        #expect(try letters().isEmpty)
        let next = rig(seed: 2)
        let tracker = try await next.tracker()
        await tracker.flush(timeout: .seconds(60))
        #expect(next.actions == (1...1200).map(String.init))
        #expect(tracker.counters.addUp(recovered: 1200))
        await next.pipeline.shutdown(timeout: .zero)
        #expect(files.requeue(DeadLetter.Filter()).count == 0)
    }

    @Test("events are put back into the queues of their namespaces by bytes")
    func requeuesByBytes() throws {
        let store = try SQLiteEventStore(
            path: directory.file("a.sqlite"), lock: try #require(try FileLock(path: directory.file("l"))))
        // Equal for Swift, and not for Snowplow.
        let names = ["\u{e9}", "e\u{301}"]
        try store.insert(
            names.enumerated().map { index, name in
                DeadLetter(
                    id: Int64(index + 1), namespace: name, reason: "rejected", time: 1, isAnonymous: false,
                    payload: Array(#"{"eid":"\#(index)"}"#.utf8))
            })
        let requeued = try store.requeue(DeadLetter.Filter(), at: 2)
        for (index, name) in names.enumerated() {
            #expect(requeued[exactly: name]?.events == 1)
            #expect(try store.texts(store.key(of: name)) == [#"{"eid":"\#(index)"}"#])
        }
    }

    @Test("a running process puts its events back within a minute, counts them, and sends them once")
    func requeuesRunning() async throws {
        let rig = rig()
        let tracker = try await reject(1...3, in: rig) { $0.emitter?.serverAnonymisation = true }
        let files = try DeadLetterFiles(directory: directory.path)
        let none = files.requeue(DeadLetter.Filter(reason: .expired))
        #expect((none.count, none.processes) == (0, 0))
        let result = files.requeue(DeadLetter.Filter(reason: .rejected))
        #expect((result.count, result.processes) == (0, 1))
        #expect(result.failures == [])
        rig.transport.respond { _ in .success(HTTPTransportResponse(status: 200)) }
        await rig.pipeline.tend()
        await tracker.flush()
        #expect(rig.actions == ["1", "2", "3", "1", "2", "3"])
        #expect(rig.transport.requests.last?.header("SP-Anonymous") == "*")
        #expect(tracker.counters.sent == 3)
        #expect(tracker.counters.addUp(recovered: 3))
        #expect(try letters().isEmpty)
        await rig.pipeline.tend()
        await tracker.flush()
        #expect(rig.actions.count == 6)
        #expect(!directory.names.contains { $0.contains("resend") })
        await rig.pipeline.shutdown(timeout: .zero)
    }

    @Test("a collector of the operator's takes events of ended processes, and what it refuses stays")
    func sends() async throws {
        try await reject(1...3)
        let files = try DeadLetterFiles(directory: directory.path)
        let transport = ScriptedTransport()
        transport.script(400, 503)
        let refused = try await files.send(DeadLetter.Filter(), to: "collector.example", by: transport)
        #expect(refused.count == 0)
        #expect(refused.failures == ["\(directory.path)/events-0.sqlite: 3 events stay: the collector answered 400"])
        #expect(try await files.send(DeadLetter.Filter(), to: "collector.example", by: transport).count == 0)
        #expect(try letters().count == 3)
        transport.script(413)
        let sent = try await files.send(DeadLetter.Filter(), to: "collector.example", by: transport)
        #expect(sent.count == 3)
        #expect(sent.failures == [])
        // The whole, and then its halves.
        #expect(transport.requests.suffix(2).flatMap(\.events).map { $0["se_ac"] } == ["1", "2", "3"])
        #expect(transport.requests.last?.url == "https://collector.example/com.snowplowanalytics.snowplow/tp2")
        #expect(try letters().isEmpty)
        await #expect(throws: ConfigurationError.self) {
            try await files.send(DeadLetter.Filter(), to: "ftp://x", by: transport)
        }
    }

    @Test("the file of a running process is not sent from, and says so")
    func leavesRunning() async throws {
        let rig = rig()
        try await reject(1...3, in: rig)
        let transport = ScriptedTransport()
        let files = try DeadLetterFiles(directory: directory.path)
        let sent = try await files.send(DeadLetter.Filter(), to: "collector.example", by: transport)
        #expect(sent.count == 0)
        #expect(sent.failures.count == 1)
        #expect(sent.failures.first?.contains("is in use by a running process") == true)
        #expect(transport.requests.isEmpty)
        #expect(try letters().count == 3)
        await rig.pipeline.shutdown(timeout: .zero)
    }

    @Test("a directory that cannot be read is an error", arguments: ["", "/nonexistent/state"])
    func refusesDirectories(path: String) {
        #expect(throws: FileError.self) { try DeadLetterFiles(directory: path) }
    }
}
