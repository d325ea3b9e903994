import Foundation
import TestSupport
import Testing
import TrackerTesting

@testable import TrackerCore

@Suite("a disk that takes nothing", .endsWhenItHangs)
struct FullDiskTests {
    private let directory = TemporaryDirectory()

    /// A directory in which no file can be made while the disk is full.
    private func state(_ isFull: Locked<Bool>) -> StateDirectory {
        StateDirectory(
            path: directory.path, service: "tests",
            willChange: { path throws(EventStoreError) in
                if isFull.withLock({ $0 }) { throw EventStoreError(.write, path, ENOSPC) }
            })
    }

    @Test("memory keeps as many events as fit, all of them are sent, and the status says so while they wait")
    func boundsMemory() async throws {
        let rig = Rig(directory: state(Locked(true)), seed: 1)
        let tracker = try await rig.idleTracker { $0.emitter?.maxEventStoreSize = 5 }
        tracker.track(1...8)
        let counters = await tracker.storedCounters()
        let status = await tracker.status
        #expect((status.storeCapacityBytes, status.storeCapacityEvents) == (EventStore.defaultMemoryBytes, 5))
        #expect(counters.stored == 5)
        #expect(counters.droppedByReason == [.storeFull: 3])
        #expect(rig.pipeline.memoryOnlyEvents == 8)
        let text = try #require(rig.pipeline.storeFailure?.text)
        #expect(
            text.hasPrefix(
                "events are kept in memory only, where a kill would lose them: cannot write \(directory.path)/log-0."))
        #expect(text.hasSuffix("No space left on device"))
        #expect(
            rig.log.records.count { $0.level == .error && $0.message.hasPrefix("events are kept in memory only") } == 1)
        tracker.emitter.resume()
        await tracker.flush()
        #expect(rig.actions == ["4", "5", "6", "7", "8"])
        #expect(tracker.counters.addUp)
    }

    @Test("what waits in memory only goes to the disk within a second once it has room, and the end of it is logged")
    func recovers() async throws {
        let isFull = Locked(true)
        let rig = Rig(directory: state(isFull), seed: 1)
        let tracker = try await rig.idleTracker()
        tracker.track(1...10)
        _ = await tracker.storedCounters()
        await #expect(throws: TrackingError.self) {
            try await tracker.trackCommitted(Structured(category: "c", action: "11"))
        }
        #expect(try StoreFiles(directory: directory).waiting() == [])
        isFull.withLock { $0 = false }
        await rig.pipeline.doPostponedWork()
        #expect(try StoreFiles(directory: directory).waiting() == texts(1...11))
        #expect(rig.pipeline.storeFailure == nil)
        await rig.pipeline.maintain()
        #expect(
            rig.log.records.contains {
                $0.level == .info && $0.message == "the event store works again; 11 events waited in memory only"
            })
        try await tracker.trackCommitted(Structured(category: "c", action: "12"))
        #expect(try await StoreFiles(directory: directory).sentAfterKill() == texts(1...12))
    }

    @Test("a committed event goes to the disk at once when that has room again, with those that waited")
    func commitsAtOnce() async throws {
        let isFull = Locked(true)
        let rig = Rig(directory: state(isFull), seed: 1)
        let tracker = try await rig.idleTracker()
        tracker.track(1...3)
        _ = await tracker.storedCounters()
        isFull.withLock { $0 = false }
        try await tracker.trackCommitted(Structured(category: "c", action: "4"))
        #expect(try StoreFiles(directory: directory).waiting() == texts(1...4))
    }

    @Test(
        "while a file system that copies on write has little room, no thread writes to a file's memory, and nothing is lost",
        .enabled(if: Tmpfs.isAllowed, "no mount here"))
    func leavesCopyOnWrite() async throws {
        let disk = try Tmpfs(kilobytes: 100 << 10)
        let state = StateDirectory(
            path: disk.path, service: "tests", fileSystem: { _ in FileSystem(type: 0x9123_683E) })
        let rig = Rig(directory: state, seed: 1)
        let tracker = try await rig.idleTracker()
        tracker.track(1...5)
        _ = await tracker.storedCounters()
        #expect(rig.pipeline.storeFailure == nil)
        try disk.fill()
        // Taken together: the file is given up for what comes after them.
        try await rig.pipeline.holdingStore { tracker.track(6...7) }
        _ = await tracker.storedCounters()
        tracker.track(8...10)
        _ = await tracker.storedCounters()
        #expect(rig.pipeline.memoryOnlyEvents == 3)
        #expect(try #require(rig.pipeline.storeFailure).text.hasSuffix("No space left on device"))
        // Neither the room that the files gave back nor a file whose events were sent is filled again.
        await rig.pipeline.doPostponedWork()
        tracker.emitter.resume()
        await tracker.flush()
        tracker.emitter.pause()
        tracker.track(11...12)
        _ = await tracker.storedCounters()
        #expect(rig.pipeline.memoryOnlyEvents == 5)
        try disk.empty()
        await rig.pipeline.doPostponedWork()
        #expect(rig.pipeline.storeFailure == nil)
        #expect(
            try await StoreFiles(directory: TemporaryDirectory(at: disk.path)).sentAfterKill().sorted()
                == texts(11...12).sorted())
    }

    @Test("events that no file has at the end are lost, and counted; those of files are left to the next process")
    func losesAtTheEnd() async throws {
        let isFull = Locked(false)
        let rig = Rig(directory: state(isFull), seed: 1)
        let tracker = try await rig.idleTracker()
        tracker.track(1...3)
        _ = await tracker.storedCounters()
        isFull.withLock { $0 = true }
        var number = 3
        while rig.pipeline.memoryOnlyEvents < 5, number < 200 {
            number += 1
            tracker.track(PaddedEvent(action: "\(number)", size: 400_000))
            _ = await tracker.storedCounters()
        }
        let report = await rig.pipeline.shutdown(timeout: .zero)
        #expect(report.delivery == Delivery(sent: 0, stored: number - 5, dropped: 5))
        #expect(tracker.counters.droppedByReason == [.notStored: 5])
        #expect(try await StoreFiles(directory: directory).sentAfterKill().count == number - 5)
    }

    @Test("a directory that cannot be used keeps events in memory, with a warning, until it can be used")
    func fallsBackToMemory() async throws {
        directory.write("", to: "file")
        let disk: Tmpfs? = try Tmpfs.isAllowed ? Tmpfs(kilobytes: 256) : nil
        try disk?.makeReadOnly()
        let paths = [directory.file("file"), directory.file("file/state"), "/proc/tracker-config-test"]
        for path in paths + [disk?.path].compactMap(\.self) {
            let rig = Rig(stateDirectory: path)
            #expect(rig.pipeline.warnings.count == 1)
            #expect(rig.log.contains("events are kept in memory only, where a kill would lose them"))
            let tracker = try await rig.tracker()
            tracker.track(1...2)
            #expect(await tracker.flush().sent == 2)
            #expect(rig.pipeline.memoryOnlyEvents == 2, "\(path)")
        }
        withExtendedLifetime(disk) {}
        let rig = Rig(stateDirectory: directory.file("file"))
        let tracker = try await rig.idleTracker()
        await #expect(throws: TrackingError.self) {
            try await tracker.trackCommitted(Structured(category: "c", action: "1"))
        }
        try FileManager.default.removeItem(atPath: directory.file("file"))
        rig.time.advance(by: StoreCondition.openInterval)
        await rig.pipeline.maintain()
        try await tracker.trackCommitted(Structured(category: "c", action: "2"))
        #expect(rig.pipeline.storeFailure == nil)
        #expect(
            try await StoreFiles(directory: TemporaryDirectory(at: directory.file("file"))).sentAfterKill() == [
                "1", "2",
            ])
    }

    @Test("a directory on a network file system is refused in a sentence, and events stay in memory")
    func refusesNetworks() async throws {
        let path = directory.file("state")
        let rig = Rig(
            directory: StateDirectory(path: path, service: "tests", fileSystem: { _ in FileSystem(type: 0x6969) }),
            seed: 1)
        #expect(rig.pipeline.warnings.count == 1)
        #expect(
            rig.pipeline.warnings[0].contains(
                "\(path) is on a network file system (NFS), where other machines could change what this process "))
        let tracker = try await rig.tracker()
        tracker.track(1...2)
        await tracker.flush(timeout: .seconds(60))
        #expect(rig.actions == ["1", "2"])
        #expect(FileSystem(of: "/proc")?.networkName == nil)
    }

    @Test(
        "file systems that other machines write to are known by their numbers, and local ones are not among them",
        arguments: [
            (0x6969, "NFS"), (0x517B, "SMB"), (0xFE53_4D42, "SMB"), (0xFF53_4D42, "SMB"), (0x5346_414F, "AFS"),
            (0x6B41_4653, "AFS"), (0x00C3_6400, "Ceph"), (0x0BD0_0BD0, "Lustre"), (0x0116_1970, "GFS2"),
            (0x7461_636F, "OCFS2"),
            // ext4, XFS, btrfs, tmpfs, overlayfs, ZFS, and 9P, by which sandboxes show local disks.
            (0xEF53, nil), (0x5846_5342, nil), (0x9123_683E, nil), (0x0102_1994, nil), (0x794C_7630, nil),
            (0x2FC1_2FC1, nil), (0x0102_1997, nil),
        ])
    func knowsNetworks(type: Int, name: String?) {
        #expect(FileSystem(type: type).networkName == name)
        // Only for what other machines change unseen is 9P such a file system.
        #expect(FileSystem(type: type).remoteName == (type == 0x0102_1997 ? "9P" : name))
    }

    @Test("a letter that another process keeps from its file waits for it, and delivery does not")
    func lettersWait() async throws {
        let rig = Rig(directory: StateDirectory(path: directory.path, service: "tests"), deadLetters: .file(), seed: 1)
        rig.transport.respond { _ in .success(HTTPTransportResponse(status: 403)) }
        let tracker = try await rig.tracker()
        tracker.track(1...1)
        await tracker.flush(timeout: .seconds(60))
        let other = try SQLiteDatabase(path: directory.file("dead-letters.sqlite"))
        func count() throws -> Int64? { try other.prepare("SELECT count(*) FROM letters").number() }
        #expect(try count() == 1)
        try other.execute("BEGIN IMMEDIATE")
        tracker.track(2...5)
        await tracker.flush(timeout: .seconds(60))
        #expect(tracker.counters.droppedByReason == [.rejected: 5])
        #expect(try count() == 1)
        try other.execute("COMMIT")
        await rig.pipeline.doPostponedWork()
        #expect(try count() == 5)
        #expect(tracker.counters.deadLetterFailures == 0)
    }

    @Test(
        "on a real full disk events go to memory up to the bound, are sent, and trackCommitted says so",
        .enabled(if: Tmpfs.isAllowed, "no mount here"))
    func tinyDisk() async throws {
        let disk = try Tmpfs(kilobytes: 20 << 10)
        let rig = Rig(stateDirectory: disk.path)
        let tracker = try await rig.idleTracker {
            $0.emitter?.maxEventStoreSize = 60
            $0.emitter?.byteLimitPost = 100_000_000
        }
        var isFull = false
        for number in 1...70 {
            do {
                try await tracker.trackCommitted(PaddedEvent(action: "\(number)", size: 400_000))
                #expect(!isFull)
            } catch {
                guard error.code == .notDurable, let reason = error.cause as? EventStoreError else {
                    Issue.record("the wrong error: \(error)")
                    return
                }
                #expect(reason.code == .full)
                isFull = true
            }
        }
        #expect(isFull)
        var counters = await tracker.storedCounters()
        #expect(counters.stored == 60)
        #expect(counters.droppedByReason == [.storeFull: 10])
        tracker.emitter.resume()
        await tracker.flush()
        counters = tracker.counters
        #expect(counters.sent == 60 && counters.addUp)
        #expect(Set(rig.actions).count == 60)
        #expect(rig.actions.last == "70")
        await rig.pipeline.maintain()
        try await tracker.trackCommitted(Structured(category: "c", action: "71"))
        #expect(rig.pipeline.storeFailure == nil)
    }
}
