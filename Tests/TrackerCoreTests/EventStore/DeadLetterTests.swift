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
        try DeadLetterStore.existing(in: directory.path)?.forEach(filter) { letters.append($0) }
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
    }

    @Test("events that the bounds of the store drop are kept too")
    func keepsBounded() async throws {
        let rig = rig()
        let tracker = try await rig.idleTracker { $0.emitter?.maxEventStoreSize = 5 }
        tracker.track(1...9)
        #expect(await tracker.storedCounters().droppedByReason == [.storeFull: 4])
        await rig.pipeline.shutdown(timeout: .zero)
        #expect(actions(try letters()) == ["1", "2", "3", "4"])
        #expect(Set(try letters().map(\.reason)) == ["storeFull"])
    }

    @Test("the oldest give way to the bound in bytes")
    func boundsBytes() async throws {
        try await reject(101...101)
        let size = try #require(try letters().first).payload.count
        // The bound is at least 1,000.
        #expect(size > 170)
        let rig = rig(.file(maxBytes: 6 * size))
        try await reject(102...102, in: rig)
        #expect(actions(try letters()) == ["101", "102"])
        for number in 103...108 { try await reject(number...number, in: rig) }
        #expect(actions(try letters()) == texts(103...108))
    }

    @Test("those that are too old give way, also while nothing is dropped")
    func boundsAge() async throws {
        let rig = rig(.file(maxAge: .seconds(100)))
        let tracker = try await reject(1...1, in: rig)
        rig.time.advance(by: .seconds(60))
        tracker.track(2...2)
        await tracker.flush()
        rig.time.advance(by: .seconds(41))
        await rig.pipeline.maintain()
        #expect(actions(try letters()) == ["2"])
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

    @Test("all processes of a service keep them in one file, which a slot that is given up leaves as it is")
    func areTogether() async throws {
        let living = rig(seed: 1)
        let tracker = try await reject(1...2, in: living)
        try await reject(3...5, seed: 2)
        await living.pipeline.takeOver()
        #expect(!directory.names.contains { $0.hasPrefix("log-1.0") })
        #expect(actions(try letters()) == ["1", "2", "3", "4", "5"])
        tracker.track(6...6)
        await tracker.flush(timeout: .seconds(60))
        #expect(actions(try letters()) == ["1", "2", "3", "4", "5", "6"])
        var information = stat()
        #expect(stat(directory.file("dead-letters.sqlite"), &information) == 0)
        #expect(information.st_mode & 0o777 == 0o600)
    }

    @Test("their file is made anew if it is removed while the process runs")
    func survive() async throws {
        let rig = rig()
        let tracker = try await reject(1...3, in: rig)
        #expect(actions(try letters()) == ["1", "2", "3"])
        for name in directory.names where name.hasPrefix("dead-letters.sqlite") { unlink(directory.file(name)) }
        tracker.track(4...4)
        await tracker.flush()
        #expect(actions(try letters()) == ["4"])
    }

    @Test("a damaged file is set aside, logged, and replaced", arguments: [true, false])
    func replacesDamaged(isInUse: Bool) async throws {
        if !isInUse { try await reject(1...40) }
        let rig = rig(seed: 2)
        let tracker = try await rig.tracker("ns")
        if isInUse { try await reject(1...40, in: rig) }
        let path = directory.file("dead-letters.sqlite")
        // What is in the log is put into the file first.
        try SQLiteDatabase(path: path).execute("PRAGMA wal_checkpoint(TRUNCATE)")
        let file = try FileHandle(forUpdating: URL(filePath: path))
        for page in 1...5 {
            try file.seek(toOffset: UInt64(page * 4096))
            file.write(Data(repeating: 0xAA, count: 4096))
        }
        try file.close()
        rig.transport.respond { _ in .success(HTTPTransportResponse(status: 403)) }
        tracker.track(41...42)
        await tracker.flush(timeout: .seconds(60))
        #expect(tracker.counters.deadLetterFailures == 0)
        #expect(actions(try letters()) == ["41", "42"])
        #expect(directory.names.contains("dead-letters.sqlite.damaged"))
        let lines = rig.log.records.filter {
            $0.level == .error && $0.message.hasPrefix("the dead letters are damaged")
        }
        #expect(lines.count == 1)
    }

    @Test("an event that is kept twice, as by a process that is killed on the way, is one letter")
    func keepsOnce() throws {
        let store = try DeadLetterStore(in: directory.path)
        let letter = DeadLetter(
            id: 0, namespace: "ns", reason: "rejected", time: 1, isAnonymous: false,
            payload: Array(#"{"eid":"1"}"#.utf8))
        let bounds = DeadLetters.Bounds(maxBytes: 1_000, maxAge: .seconds(1))
        for _ in 1...3 { try store.keep([letter], within: bounds, at: 2) }
        #expect(try store.letters().map(\.payload) == [letter.payload])
        // The bound counts what is there.
        #expect(try SQLiteDatabase(path: store.path).prepare("SELECT bytes FROM total").number() == 11)
    }

    @Test("events of a process that has ended are sent once by the next, if an operator asks")
    func resends() async throws {
        try await reject(1...1200)
        let store = try #require(try DeadLetterStore.existing(in: directory.path))
        #expect(try store.requestResend(DeadLetter.Filter(namespace: "other")) == 0)
        #expect(try store.requestResend(DeadLetter.Filter(namespace: "ns")) == 1200)
        #expect(try letters().allSatisfy(\.isDue))
        let next = rig(.off, seed: 2)
        let tracker = try await next.tracker()
        await tracker.flush(timeout: .seconds(60))
        #expect(next.actions == texts(1...1200))
        #expect(tracker.counters.addUp(recovered: 1200))
        #expect(try letters().isEmpty)
        await next.pipeline.shutdown(timeout: .zero)
        #expect(try store.requestResend(DeadLetter.Filter()) == 0)
    }

    @Test("a process takes the events of its own namespaces by bytes, and leaves the others")
    func resendsByBytes() async throws {
        let store = try DeadLetterStore(in: directory.path)
        // Equal for Swift, and not for Snowplow.
        let names = ["\u{e9}", "e\u{301}"]
        let letters = names.enumerated().map { index, name in
            DeadLetter(
                id: 0, namespace: name, reason: "rejected", time: 1, isAnonymous: false,
                payload: Array(#"{"e":"se","eid":"\#(index)","se_ac":"\#(index)"}"#.utf8))
        }
        try store.keep(letters, within: DeadLetters.Bounds(maxBytes: 1_000, maxAge: .tenYears), at: 2)
        #expect(try store.requestResend(DeadLetter.Filter()) == 2)
        let rig = rig(.off)
        let tracker = try await rig.tracker(names[1])
        await rig.pipeline.maintain()
        await tracker.flush(timeout: .seconds(60))
        #expect(rig.actions == ["1"])
        #expect(try self.letters().map(\.eventID) == ["0"])
    }

    @Test("a running process puts its events back within a minute, counts them, and sends them once")
    func resendsRunning() async throws {
        let rig = rig()
        let tracker = try await reject(1...3, in: rig) { $0.emitter?.serverAnonymisation = true }
        let store = try #require(try DeadLetterStore.existing(in: directory.path))
        #expect(try store.requestResend(DeadLetter.Filter(reason: .expired)) == 0)
        #expect(try store.requestResend(DeadLetter.Filter(reason: .rejected)) == 3)
        rig.transport.respond { _ in .success(HTTPTransportResponse(status: 200)) }
        await rig.pipeline.maintain()
        await tracker.flush()
        #expect(rig.actions.suffix(3) == ["1", "2", "3"])
        let count = rig.transport.requests.count
        #expect(rig.transport.requests.last?.header("SP-Anonymous") == "*")
        #expect(tracker.counters.sent == 3)
        #expect(tracker.counters.addUp(recovered: 3))
        #expect(try letters().isEmpty)
        await rig.pipeline.maintain()
        await tracker.flush()
        #expect(rig.transport.requests.count == count)
    }

    @Test("two processes that an operator asks at the same time send an event once")
    func resendsOnce() async throws {
        try await reject(1...40)
        #expect(try DeadLetterStore.existing(in: directory.path)?.requestResend(DeadLetter.Filter()) == 40)
        let rigs = [rig(seed: 2), rig(seed: 3)]
        let sent = try await withThrowingTaskGroup(of: [String].self) { group in
            for rig in rigs {
                group.addTask {
                    let tracker = try await rig.tracker("ns")
                    await rig.pipeline.maintain()
                    await tracker.flush(timeout: .seconds(60))
                    return rig.actions
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(sent.sorted() == texts(1...40).sorted())
        for rig in rigs { await rig.pipeline.shutdown(timeout: .zero) }
    }
}
