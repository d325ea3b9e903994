import Foundation
import TestSupport
import Testing
import TrackerFeatures
import TrackerTesting

/// Reads and flushes while the store of assignments is busy, damaged or slow.
@Suite("Faults of the store of sticky assignments", .endsWhenItHangs)
struct StoreFaultTests {
    private let rig = ExperimentRig()

    @Test(
        "a read does not wait for a process that recovers the file's log, and the unit is loaded afterwards", .mayBlock)
    func busy() async throws {
        let first = rig.run(.weighted(0, 1, isSticky: true))
        #expect(first.short() == "b assigned*")
        await first.settle()
        let second = rig.run(.weighted(1, 0, isSticky: true))
        // As SQLite does before it recovers a log: an index without a header, and all locks.
        let script = """
            import fcntl, sys, time
            file = open(sys.argv[1], 'r+b')
            fcntl.lockf(file, fcntl.LOCK_EX, 8, 120)
            file.write(bytes(96))
            file.flush()
            print('locked', flush=True)
            time.sleep(60)
            """
        let process = try ChildProcess("python3", "-c", script, "\(rig.storePath)-shm")
        #expect(String(decoding: process.available(), as: UTF8.self).hasPrefix("locked"))
        #expect(second.short() == "- notLoaded")
        process.terminate()
        _ = process.wait()
        try await waitUntil("the unit is loaded") { second.short() == "b sticky*" }
    }

    @Test("many reads of a damaged file that cannot be replaced try to replace it once")
    func repairs() async throws {
        let first = rig.run(.weighted(0, 1, isSticky: true))
        for user in 0..<500 { _ = first.short("x", "user-\(user)") }
        await first.settle()
        try rig.damageStore()
        // No process can take the lock for replacing it.
        try FileManager.default.removeItem(atPath: "\(rig.storePath).lock")
        try FileManager.default.createSymbolicLink(
            atPath: "\(rig.storePath).lock", withDestinationPath: "\(rig.storePath).elsewhere")
        for user in 0..<200 { _ = first.short("x", "other-\(user)") }
        await first.settle()
        try await waitUntil("it was tried") { rig.log.contains("cannot be replaced") }
        await first.settle()
        #expect(rig.log.records.filter { $0.message.contains("cannot be replaced") }.count == 1)
    }

    @Test("a flush whose timeout ends at once returns")
    func flush() async {
        let store = SharedAssignments()
        let experiments = rig.run(.weighted(0, 1, isSticky: true), over: store)
        await experiments.prepare(for: FeatureContext(userID: "u-1"))
        store.gate.hold()
        _ = experiments.short()
        await store.gate.waitForHeldCall()
        for _ in 0..<100 {
            await withTaskGroup { group in
                for _ in 0..<100 { group.addTask { #expect(await !experiments.flush(timeout: .zero)) } }
            }
        }
        store.gate.release()
        await experiments.settle()
    }
}

extension ExperimentRig {
    /// Overwrites all pages of the file of assignments but the first.
    func damageStore() throws {
        // Moved out of the journal, so that what is spoilt is what is read.
        try SQLiteDatabase(path: storePath).execute("PRAGMA wal_checkpoint(TRUNCATE)")
        let file = try FileHandle(forUpdating: URL(filePath: storePath))
        for page in stride(from: 4096, to: try file.seekToEnd(), by: 4096) {
            try file.seek(toOffset: page)
            try file.write(contentsOf: Data(repeating: 0xAB, count: 4096))
        }
        try file.close()
    }
}
