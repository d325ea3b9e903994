import Foundation
import TestSupport
import Testing
import TrackerTesting

@testable import TrackerCore

@Suite("what a kill leaves in the log", .endsWhenItHangs)
struct EventLogTests {
    private let directory = TemporaryDirectory()
    private var files: StoreFiles { StoreFiles(directory: directory) }

    /// Tracks events, and lets their request wait for its answer.
    private func send(
        _ numbers: ClosedRange<Int>, _ tracker: Tracker, _ rig: Rig
    ) async -> (flush: Task<Void, Never>, held: ScriptedTransport.Held) {
        rig.transport.hold()
        tracker.track(numbers)
        await rig.pipeline.drain()
        let flush = Task { _ = await tracker.flush(timeout: .seconds(60)) }
        return (flush, await rig.transport.next())
    }

    @Test("events whose track had returned are sent once by the next process, whenever this one is killed")
    func survivesKills() async throws {
        let rig = Rig(stateDirectory: directory.path)
        let tracker = try await rig.idleTracker()
        for first in [1, 12] {
            try await rig.pipeline.holdingStore {
                tracker.track(first...first + 9)
                let sent = try await files.sentAfterKill()
                #expect(sent == texts(1...first + 9))
            }
            try await tracker.trackCommitted(Structured(category: "c", action: "\(first + 10)"))
            let sent = try await files.sentAfterKill()
            #expect(sent == texts(1...first + 10))
        }
    }

    @Test(
        "an event of almost 512 KiB survives a kill, and a larger one as soon as the store has it",
        arguments: [520_000, 3_000_000])
    func survivesLarge(size: Int) async throws {
        let rig = Rig(stateDirectory: directory.path)
        let tracker = try await rig.idleTracker { $0.emitter?.byteLimitPost = 100_000_000 }
        try await rig.pipeline.holdingStore {
            tracker.track(PaddedEvent(action: "1", size: size))
            let sent = try await files.sentAfterKill()
            #expect(sent == (size < 512 << 10 ? ["1"] : []))
        }
        tracker.track(2...2)
        #expect(await tracker.storedCounters().stored == 2)
        #expect(rig.pipeline.memoryOnlyEvents == 0)
        // The larger one may have come to a file after the other.
        #expect(try await files.sentAfterKill().sorted() == ["1", "2"])
        tracker.emitter.resume()
        await tracker.flush(timeout: .seconds(60))
        #expect(rig.actions == ["1", "2"])
        #expect(try await files.sentAfterKill() == [])
    }

    @Test("a kill repeats what was in flight, and nothing that was sent")
    func marksSent() async throws {
        let rig = Rig(stateDirectory: directory.path)
        let tracker = try await rig.tracker { $0.emitter?.emitRange = 2 }
        tracker.track(1...2)
        await tracker.flush(timeout: .seconds(60))
        rig.transport.hold()
        tracker.track(3...8)
        await rig.pipeline.drain()
        let flush = Task { await tracker.flush(timeout: .seconds(60)) }
        var held = await rig.transport.next()
        held.answer(200)
        held = await rig.transport.next()
        #expect(try await files.sentAfterKill() == ["5", "6", "7", "8"])
        rig.transport.release()
        held.answer(200)
        _ = await flush.value
        #expect(try await files.sentAfterKill() == [])
        #expect(tracker.counters.addUp)
    }

    @Test("unsent events are sent after a restart, in order and before newer ones")
    func survivesRestarts() async throws {
        let first = Rig(stateDirectory: directory.path)
        let tracker = try await first.tracker()
        tracker.track(1...5)
        // With no time nothing is sent.
        #expect(await first.pipeline.shutdown(timeout: .zero).delivery == Delivery(sent: 0, stored: 5))
        #expect(first.transport.requests.isEmpty)
        let second = Rig(stateDirectory: directory.path, seed: 2)
        let again = try await second.tracker { $0.emitter?.emitRange = 3 }
        again.track(6...7)
        await again.flush()
        #expect(second.actions == texts(1...7))
        #expect((again.counters.tracked, again.counters.sent, again.counters.stored) == (2, 7, 0))
        #expect(again.counters.addUp(recovered: 5))
        #expect(second.pipeline.warnings.isEmpty)
        await second.pipeline.shutdown(timeout: .zero)
        #expect(files.names == [])
    }

    @Test("what several processes leave one after the other is sent in order")
    func survivesSeveralRestarts() async throws {
        for run in 0..<4 {
            let rig = Rig(stateDirectory: directory.path, seed: UInt64(run))
            let tracker = try await rig.idleTracker { $0.emitter?.byteLimitPost = 100_000_000 }
            // A process that another test starts may have inherited the locks for a moment.
            try await waitUntil("what was left is taken over") {
                await rig.pipeline.takeOver()
                return tracker.counters.stored == run * 12
            }
            for number in run * 12 + 1...run * 12 + 12 {
                tracker.track(PaddedEvent(action: "\(number)", size: 300_000))
            }
            #expect(await tracker.storedCounters().stored == run * 12 + 12)
            await rig.pipeline.shutdown(timeout: .zero)
        }
        #expect(try await files.sentAfterKill() == texts(1...48))
    }

    @Test("a committed event is in a file when trackCommitted returns, of which only this user can read")
    func commits() async throws {
        let rig = Rig(stateDirectory: directory.path)
        let tracker = try await rig.idleTracker()
        try await tracker.trackCommitted(Structured(category: "c", action: "1"))
        #expect(try files.waiting() == ["1"])
        for name in directory.names { #expect(directory.mode(of: name) & 0o077 == 0, "\(name)") }
    }

    @Test("without a disk trackCommitted says that the event is in memory only, and it is sent all the same")
    func tellsOfMemory() async throws {
        let rig = Rig()
        let tracker = try await rig.tracker()
        let error = await #expect(throws: TrackingError.self) { try await tracker.trackCommitted(PageView(url: "u")) }
        guard error?.code == .notDurable, let reason = error?.cause as? EventStoreError else {
            Issue.record("the wrong error: \(String(describing: error))")
            return
        }
        #expect(reason.code == .unavailable)
        await tracker.flush()
        #expect(rig.events.first?["eid"] == error?.id?.description)
        #expect(rig.pipeline.memoryOnlyEvents == 0 && rig.pipeline.storeFailure == nil)
    }

    @Test("a burst of large events while the disk hangs is sent by the next process, and the files go again")
    func keepsBursts() async throws {
        let rig = Rig(stateDirectory: directory.path)
        let tracker = try await rig.idleTracker()
        var copy: TemporaryDirectory?
        try await rig.pipeline.holdingStore {
            for number in 1...60 {
                tracker.track(PaddedEvent(action: "\(number)", size: 300_000))
                try await waitUntil("a file is made") { !rig.pipeline.intake.pool.isGrowing }
            }
            copy = try files.copy()
        }
        let killed = try #require(copy)
        #expect(StoreFiles(directory: killed).names.count >= 3)
        let next = Rig(stateDirectory: killed.path, seed: 9)
        let heir = try await next.tracker { $0.emitter?.byteLimitPost = 10_000_000 }
        await heir.flush(timeout: .seconds(60))
        #expect(next.actions.count == 60)
        #expect(Set(next.actions) == Set(texts(1...60)))
        await next.pipeline.maintain()
        #expect(StoreFiles(directory: killed).names.count == 1)
        #expect(await tracker.storedCounters().stored == 60)
        #expect(rig.pipeline.memoryOnlyEvents == 0)
    }

    @Test("events of a thread and of a tracker keep their order")
    func keepsOrder() async throws {
        let rig = Rig(stateDirectory: directory.path)
        let tracker = try await rig.idleTracker { $0.emitter?.byteLimitPost = 100_000_000 }
        try await rig.pipeline.holdingStore {
            for number in 1...20 {
                // On any of the pool's threads.
                await Task.detached { _ = tracker.track(PaddedEvent(action: "\(number)", size: 400_000)) }.value
                try await waitUntil("a file is made") { !rig.pipeline.intake.pool.isGrowing }
            }
            let sent = try await files.sentAfterKill()
            #expect(Set(sent) == Set(texts(1...20)))
        }
        #expect(await tracker.storedCounters().stored == 20)
        tracker.emitter.resume()
        await tracker.flush(timeout: .seconds(60))
        #expect(rig.actions == texts(1...20))
    }

    @Test("a new session is on disk with the first of its events, and its numbers a second later")
    func storesSessions() async throws {
        let rig = Rig(stateDirectory: directory.path)
        let tracker = try await rig.tracker { $0.tracker?.sessionContext = true }
        func eventIndex() throws -> Int? {
            let copy = try files.copy()
            defer { withExtendedLifetime(copy) {} }
            return Rig(stateDirectory: copy.path, seed: 9).pipeline.sessions.withLock { $0[exactly: "ns"]?.eventIndex }
        }
        tracker.track(1...1)
        await rig.pipeline.drain()
        #expect(try eventIndex() == 1)
        tracker.track(2...4)
        await rig.pipeline.drain()
        #expect(try eventIndex() == 1)
        await rig.pipeline.doPostponedWork()
        #expect(try eventIndex() == 4)
        await tracker.flush(timeout: .seconds(60))
        await rig.pipeline.shutdown(timeout: .zero)
        for bad in [true, false] {
            if bad { directory.write("{}", to: "log-0.sessions") }
            let next = Rig(stateDirectory: directory.path, seed: 3)
            #expect(
                next.pipeline.warnings
                    == (bad ? ["\(directory.path)/log-0.sessions is damaged; new sessions begin"] : []))
            let again = try await next.tracker { $0.tracker?.sessionContext = true }
            again.track(5...5)
            await again.flush()
            #expect(next.events.first?.entity("client_session")?["sessionIndex"] == (bad ? 1 : 2))
            await next.pipeline.shutdown(timeout: .zero)
        }
    }

    @Test(
        "a file that is removed or replaced while it is filled is made again, with what it had",
        arguments: [false, true])
    func replacesVanished(isReplaced: Bool) async throws {
        let rig = Rig(stateDirectory: directory.path)
        let tracker = try await rig.idleTracker()
        let vanishings = {
            rig.log.records.count { $0.level == .error && $0.message.contains("was removed or replaced") }
        }
        try await rig.pipeline.holdingStore {
            tracker.track(1...5)
            let name = try #require(files.names.first)
            unlink(directory.file(name))
            if isReplaced { directory.write("", to: name) }
        }
        try await tracker.trackCommitted(Structured(category: "c", action: "6"))
        #expect(vanishings() == 1)
        try await rig.pipeline.holdingStore {
            tracker.track(7...10)
            let sent = try await files.sentAfterKill()
            #expect(sent.sorted() == texts(1...10).sorted())
        }
        await rig.pipeline.drain()
        for name in files.names { unlink(directory.file(name)) }
        await rig.pipeline.maintain()
        #expect(vanishings() == 2)
        // If no segment is ready, the store tries again in a second.
        try await waitUntil("the events are in files again") {
            rig.time.advance(by: EventStore.retryInterval)
            return try files.waiting().sorted() == texts(1...10).sorted()
        }
        #expect(try await files.sentAfterKill().sorted() == texts(1...10).sorted())
        tracker.emitter.resume()
        await tracker.flush(timeout: .seconds(60))
        #expect(rig.actions.sorted() == texts(1...10).sorted())
        #expect(tracker.counters.addUp)
        #expect(try await files.sentAfterKill() == [])
    }

    @Test("a copy in the place of a file brings no event twice")
    func replacesCopy() async throws {
        let rig = Rig(stateDirectory: directory.path)
        let tracker = try await rig.idleTracker()
        tracker.track(1...5)
        _ = await tracker.storedCounters()
        let (path, copy) = (directory.file(try #require(files.names.first)), directory.file("copy"))
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        try #require(rename(copy, path) == 0)
        try await tracker.trackCommitted(Structured(category: "c", action: "6"))
        tracker.emitter.resume()
        await tracker.flush(timeout: .seconds(60))
        #expect(rig.actions.sorted() == texts(1...6))
        #expect(tracker.counters.addUp)
    }

    @Test(
        "a directory that vanishes: what is answered as committed is in a new one",
        arguments: ["removed", "moved", "replaced"])
    func noticesThatItIsGone(how: String) async throws {
        let path = directory.file("state")
        let rig = Rig(stateDirectory: path)
        let tracker = try await rig.idleTracker()
        for number in 1...3 { try await tracker.trackCommitted(Structured(category: "c", action: "\(number)")) }
        switch how {
        case "removed": try FileManager.default.removeItem(atPath: path)
        case "moved": try FileManager.default.moveItem(atPath: path, toPath: directory.file("elsewhere"))
        default:
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        for number in 4...5 { try await tracker.trackCommitted(Structured(category: "c", action: "\(number)")) }
        #expect(tracker.counters.stored == 5)
        #expect(
            rig.log.records.contains {
                $0.level == .error && $0.message.contains("was removed or replaced while it was in use")
            })
        let sent = try await StoreFiles(directory: TemporaryDirectory(at: path)).sentAfterKill()
        #expect(sent.sorted() == ["1", "2", "3", "4", "5"])
        tracker.emitter.resume()
        await tracker.flush(timeout: .seconds(60))
        #expect(rig.actions == ["1", "2", "3", "4", "5"])
        #expect(tracker.counters.addUp)
    }

    @Test("events whose directory is removed before the end are in a new one")
    func endsInNewDirectory() async throws {
        let path = directory.file("state")
        let rig = Rig(stateDirectory: path)
        let tracker = try await rig.idleTracker()
        tracker.track(1...5)
        #expect(await tracker.storedCounters().stored == 5)
        try FileManager.default.removeItem(atPath: path)
        #expect(await rig.pipeline.shutdown(timeout: .zero).delivery == Delivery(sent: 0, stored: 5, dropped: 0))
        #expect(try await StoreFiles(directory: TemporaryDirectory(at: path)).sentAfterKill().sorted() == texts(1...5))
    }

    @Test("unsent events are removed but for some namespaces, also of dead processes, and never those under way")
    func removesUnsentEvents() async throws {
        let rig = Rig(stateDirectory: directory.path)
        var made: [Tracker] = []
        for name in ["a", "b", "c"] { made.append(try await name == "c" ? rig.tracker(name) : rig.idleTracker(name)) }
        let trackers = made
        let (flush, held) = await send(1...2, trackers[2], rig)
        for tracker in trackers { tracker.track(3...4) }
        try await Rig.leave(1...5, in: directory, of: "gone", seed: 2)
        #expect(await rig.pipeline.removeUnsentEvents(exceptNamespaces: ["a"]) == 9)
        #expect(trackers.map(\.counters.stored) == [2, 0, 2])
        #expect(trackers[1].counters.droppedByReason == [.cleared: 2])
        rig.transport.release()
        held.answer(200)
        await flush.value
        #expect(trackers[2].counters.sent == 2)
        #expect(trackers.map(\.counters.addUp) == [true, true, true])
    }

    @Test("unsent events of this run and of earlier ones are bounded by their bytes", arguments: [true, false])
    func boundsBytes(isOnDisk: Bool) async throws {
        for seed in 1...2 {
            let rig = Rig(stateDirectory: isOnDisk ? directory.path : nil, seed: UInt64(seed))
            let tracker = try await rig.idleTracker { $0.emitter?.maxEventStoreBytes = 20_000 }
            await rig.pipeline.takeOver()
            for number in 1...6 {
                tracker.track(PaddedEvent(action: "\(number)", size: 4_000))
                _ = await tracker.storedCounters()
            }
            #expect(tracker.counters.stored == 4)
            if isOnDisk, seed == 1 {
                await rig.pipeline.shutdown(timeout: .zero)
                continue
            }
            tracker.emitter.resume()
            await tracker.flush()
            #expect(rig.actions == ["3", "4", "5", "6"])
        }
    }

    @Test("a pass loads some megabytes, however large the events are", arguments: [true, false])
    func boundsPasses(isOnDisk: Bool) async throws {
        let rig = Rig(stateDirectory: isOnDisk ? directory.path : nil)
        let tracker = try await rig.idleTracker { $0.emitter?.byteLimitPost = 100_000_000 }
        for number in 1...10 { tracker.track(PaddedEvent(action: "\(number)", size: 1_000_000)) }
        #expect(await tracker.storedCounters().stored == 10)
        tracker.emitter.resume()
        await tracker.flush(timeout: .seconds(60))
        #expect(tracker.counters.sent == 10)
        #expect(rig.transport.requests.allSatisfy { ($0.body?.count ?? 0) <= DeliveryState.maximumPassBytes })
    }
}
