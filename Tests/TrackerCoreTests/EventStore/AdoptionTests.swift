import Foundation
import TestSupport
import Testing
import TrackerTesting

@testable import TrackerCore

@Suite("what dead processes left", .endsWhenItHangs)
struct AdoptionTests {
    private let directory = TemporaryDirectory()

    @Test("a living process takes it over while it runs, once, in order, and a namespace without tracker keeps its own")
    func adoptsWhileRunning() async throws {
        let living = Rig(stateDirectory: directory.path, seed: 1)
        let tracker = try await living.tracker()
        try await Rig.leave(1...1100, in: directory, seed: 2)
        try await Rig.leave(7...9, in: directory, of: "elsewhere", seed: 3) { $0.emitter?.serverAnonymisation = true }
        living.time.advance(by: EventPipeline.adoptionInterval)
        // The next sleep begins when the adoption is done.
        await living.time.waitForSleeps(1, of: EventPipeline.adoptionInterval)
        await tracker.flush(timeout: .seconds(60))
        #expect(living.actions == texts(1...1100))
        #expect(tracker.counters.addUp(recovered: 1100))
        let other = try await living.tracker("elsewhere")
        await other.flush(timeout: .seconds(60))
        #expect(living.actions.suffix(3) == ["7", "8", "9"])
        #expect(living.transport.requests.last?.header("SP-Anonymous") == "*")
        #expect(!directory.names.contains("events-1.sqlite"))
    }

    @Test(
        "a slot that was looked at is looked at again once another process has taken it and was killed",
        .mayBlock, arguments: [false, true])
    func looksAgain(isStored: Bool) async throws {
        // Its events of another namespace keep slot 1.
        let living = Rig(directory: StateDirectory(path: directory.path, service: "tests"), namespaces: ["ns"], seed: 1)
        let tracker = try await living.tracker()
        try await Rig.leave(1...3, in: directory, of: "elsewhere", seed: 2)
        await living.pipeline.adoptAbandonedStores()
        #expect(living.pipeline.unclaimedEvents == ["elsewhere": 3])
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [
                path = directory.path as String, isStored = isStored as Bool
            ] in
            let killed = Rig(
                directory: StateDirectory(path: path, service: "tests"), namespaces: ["ns", "elsewhere"], seed: 3)
            let tracker = try await killed.idleTracker()
            if isStored {
                tracker.track(10...14)
                _ = await tracker.storedCounters()
                kill(getpid(), SIGKILL)
            }
            try await killed.pipeline.holdingStore {
                tracker.track(10...14)
                kill(getpid(), SIGKILL)
            }
        }
        await living.pipeline.adoptAbandonedStores()
        await tracker.flush(timeout: .seconds(60))
        #expect(living.actions == texts(10...14))
        #expect(living.pipeline.unclaimedEvents == ["elsewhere": 3])
    }

    @Test("of two namespaces in a slot that differ in Unicode normalization alone, each waits for its own tracker")
    func exactNames() async throws {
        let living = Rig(stateDirectory: directory.path, seed: 1)
        _ = try await living.tracker()
        let names = ["caf\u{E9}", "cafe\u{301}"]
        let dead = Rig(stateDirectory: directory.path, seed: 2)
        for (name, numbers) in zip(names, [1...2, 3...5]) {
            let tracker = try await dead.idleTracker(name)
            tracker.track(numbers)
        }
        await dead.pipeline.shutdown(timeout: .zero)
        await living.pipeline.adoptAbandonedStores()
        #expect(living.pipeline.unclaimedEvents == [names[0]: 5])
        for (name, actions) in zip(names, [["1", "2"], ["3", "4", "5"]]) {
            let tracker = try await living.tracker(name)
            await living.pipeline.adoptAbandonedStores()
            await tracker.flush(timeout: .seconds(60))
            #expect(living.actions.suffix(actions.count) == actions)
        }
        #expect(living.pipeline.unclaimedEvents == [:])
    }

    @Test("a slot that cannot be looked into has one line in the log")
    func logsOnce() async throws {
        let living = Rig(stateDirectory: directory.path, seed: 1)
        _ = try await living.tracker()
        try await Rig.leave(1...3, in: directory, of: "elsewhere", seed: 2)
        try FileManager.default.removeItem(atPath: directory.file("events-1.lock"))
        // As the file of another user, it cannot be opened.
        try FileManager.default.createSymbolicLink(
            atPath: directory.file("events-1.lock"), withDestinationPath: directory.file("nothing"))
        for _ in 1...5 { await living.pipeline.adoptAbandonedStores() }
        #expect(living.log.records.filter { $0.message.contains("could not be taken over") }.map(\.level) == [.error])
    }

    @Test("what a living process has is left alone")
    func leavesTheLiving() async throws {
        let one = Rig(stateDirectory: directory.path, seed: 1)
        let tracker = try await one.idleTracker()
        tracker.track(1...2)
        _ = await tracker.storedCounters()
        let two = Rig(stateDirectory: directory.path, seed: 2)
        let other = try await two.tracker()
        await two.pipeline.adoptAbandonedStores()
        await other.flush()
        #expect(two.actions == [])
        tracker.emitter.resume()
        await tracker.flush()
        #expect(one.actions == ["1", "2"])
    }
}

extension Rig {
    /// Moves the events of slot 1 to slot 0, and fails to remove them from slot 1 for as long as it has the trigger `kept`.
    /// - Returns: The process that has slot 0, and sends nothing.
    static func moveHalf(_ numbers: ClosedRange<Int> = 1...5, in directory: TemporaryDirectory) async throws -> Rig {
        let rig = Rig(stateDirectory: directory.path, seed: 1)
        _ = try await rig.idleTracker()
        try await leave(numbers, in: directory, seed: 2)
        try SQLiteDatabase(path: directory.file("events-1.sqlite")).execute(
            "CREATE TRIGGER kept BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'kept'); END")
        await rig.pipeline.adoptAbandonedStores()
        return rig
    }
}

extension AdoptionTests {
    /// Moves the events of slot 1 to slot 0, with a kill between the commits.
    /// - Returns: The process that has slot 0, and sends nothing.
    private func moveHalf() async throws -> Rig {
        let living = try await Rig.moveHalf(in: directory)
        let left = try SQLiteDatabase(path: directory.file("events-1.sqlite"))
        try left.execute("DROP TRIGGER kept")
        #expect(try left.prepare("SELECT count(*) FROM events").number() == 5)
        return living
    }

    @Test("a kill between the commits of a move sends nothing twice: the next process completes the move")
    func completesMoves() async throws {
        let killed = try await moveHalf()
        await killed.pipeline.shutdown(timeout: .zero)
        let next = Rig(stateDirectory: directory.path, seed: 3)
        let tracker = try await next.tracker()
        await next.pipeline.adoptAbandonedStores()
        await tracker.flush(timeout: .seconds(60))
        #expect(next.actions == ["1", "2", "3", "4", "5"])
        #expect(tracker.counters.addUp(recovered: 5))
    }

    @Test("a process that failed to remove moved events completes the move itself; others leave them alone until then")
    func waitsForTheOther() async throws {
        let living = try await moveHalf()
        let other = Rig(stateDirectory: directory.path, seed: 3)
        let idle = try await other.tracker()
        await other.pipeline.adoptAbandonedStores()
        await idle.flush(timeout: .seconds(60))
        #expect(other.actions == [])
        await living.pipeline.adoptAbandonedStores()
        let tracker = try await living.tracker()
        tracker.emitter.resume()
        await tracker.flush(timeout: .seconds(60))
        #expect(living.actions == ["1", "2", "3", "4", "5"])
        await other.pipeline.adoptAbandonedStores()
        await idle.flush(timeout: .seconds(60))
        #expect(other.actions == [])
    }
}

extension AdoptionTests {
    @Test("what a slot gets after a move is not taken for moved events, although the mover's disk failed in between")
    func keepsLaterEvents() async throws {
        let living = try await moveHalf()
        let tracker = try await living.tracker()
        try await living.pipeline.setReadOnly(true)
        await living.pipeline.adoptAbandonedStores()
        #expect(
            try SQLiteDatabase(path: directory.file("events-1.sqlite")).prepare("SELECT count(*) FROM events").number()
                == 0)
        // The numbers of rows begin anew in an empty slot.
        try await Rig.leave(6...10, in: directory, seed: 3)
        for _ in 0..<2 { await living.pipeline.adoptAbandonedStores() }
        try await living.pipeline.setReadOnly(false)
        await living.pipeline.adoptAbandonedStores()
        tracker.emitter.resume()
        await tracker.flush(timeout: .seconds(60))
        #expect(living.actions.sorted { Int($0)! < Int($1)! } == texts(1...10))
    }

    @Test("an answer that comes after the file was replaced counts nothing: what was salvaged is sent and counted then")
    func countsOnceOverDamage() async throws {
        let rig = Rig(stateDirectory: directory.path, seed: 1)
        let tracker = try await rig.idleTracker { $0.network?.method = .get }
        tracker.track(1...3)
        _ = await tracker.storedCounters()
        rig.transport.hold()
        tracker.emitter.resume()
        let flush = Task { await tracker.flush(timeout: .seconds(60)) }
        let held = await rig.transport.next()
        #expect(await rig.pipeline.replaceDamagedDisk())
        rig.transport.release()
        held.answer(200)
        let report = await flush.value
        #expect(report.delivery == Delivery(sent: 3, stored: 0))
        // The other requests for events of the former file are not sent.
        #expect(rig.transport.requests.map { $0.query["se_ac"] } == ["1", "1", "2", "3"])
    }

    @Test("a session that cannot be read is a warning, and a new user begins")
    func warnsOfSessions() async throws {
        let configure: (inout ConfigurationBundle) -> Void = { $0.tracker?.sessionContext = true }
        let first = Rig(stateDirectory: directory.path, seed: 1)
        let tracker = try await first.tracker("ns", configure)
        tracker.track(1...1)
        await first.pipeline.shutdown(timeout: .seconds(5))
        try SQLiteDatabase(path: directory.file("events-0.sqlite")).execute("UPDATE sessions SET record = x'7b'")
        let second = Rig(stateDirectory: directory.path, seed: 2)
        #expect(second.pipeline.warnings == ["the session of 'ns' cannot be read; a new user begins"])
        let again = try await second.tracker("ns", configure)
        again.track(2...2)
        await again.flush()
        #expect(second.events.first?.entity("client_session")?["sessionIndex"] == 1)
    }
}
