import Foundation
import TestSupport
import Testing
import TrackerTesting

@testable import TrackerCore

@Suite("what a kill leaves in the staging file", .endsWhenItHangs)
struct StagingTests {
    private let directory = TemporaryDirectory()
    private var store: StoreFiles { StoreFiles(directory: directory) }

    @Test("events whose track had returned are sent once by the next process, whenever this one is killed")
    func replaysOnce() async throws {
        let rig = Rig(stateDirectory: directory.path)
        let tracker = try await rig.idleTracker()
        for first in [1, 12] {
            try await rig.pipeline.holdingStore {
                tracker.track(first...first + 9)
                let count = try store.count()
                #expect(count == first - 1)
                let sent = try await store.sentAfterKill()
                #expect(sent == texts(1...first + 9))
            }
            try await tracker.trackCommitted(Structured(category: "c", action: "\(first + 10)"))
            let sent = try await store.sentAfterKill()
            #expect(sent.count == first + 10 && Set(sent) == Set(texts(1...first + 10)))
        }
    }

    @Test("an event of almost 512 KiB survives a kill")
    func largest() async throws {
        let rig = Rig(stateDirectory: directory.path)
        let tracker = try await rig.idleTracker()
        try await rig.pipeline.holdingStore {
            tracker.track(PaddedEvent(action: "1", size: 520_000))
            let sent = try await store.sentAfterKill()
            #expect(sent == ["1"])
        }
    }

    @Test("a kill between the commit and the note in the file brings no event twice")
    func commitsPositions() async throws {
        let rig = Rig(stateDirectory: directory.path)
        let tracker = try await rig.idleTracker()
        try await rig.pipeline.holdingStore { tracker.track(1...10) }
        let before = try Data(contentsOf: URL(filePath: directory.file("events-0.staging")))
        _ = await tracker.storedCounters()
        #expect(try await store.sentAfterKill().count == 10)
        // The file as it was before the commit, with the store as it is after it.
        let sent = try await store.sentAfterKill { copy in
            try before.write(to: URL(filePath: copy.file("events-0.staging")))
        }
        #expect(sent == texts(1...10))
    }

    @Test("a damaged record costs its own event, which is counted and logged; a truncated file costs those at its end")
    func countsDamage() async throws {
        let rig = Rig(stateDirectory: directory.path)
        let tracker = try await rig.idleTracker()
        try await rig.pipeline.holdingStore {
            tracker.track(1...10)
            var bytes = try Data(contentsOf: URL(filePath: directory.file("events-0.staging")))
            func place(of number: Int) throws -> Int {
                try #require(bytes.range(of: Data("\"se_ac\":\"\(number)\"".utf8))).lowerBound
            }
            bytes[try place(of: 4)] ^= 1
            try await expectSent([1, 2, 3, 5, 6, 7, 8, 9, 10], of: bytes)
            try await expectSent([1, 2, 3, 5, 6, 7], of: bytes.prefix(try place(of: 8)))
        }
    }

    /// Expects what the next process sends of ten events in a staging file, and that it counts and logs the others.
    private func expectSent(_ numbers: [Int], of staging: Data) async throws {
        let copy = try store.copy()
        try staging.write(to: URL(filePath: copy.file("events-0.staging")))
        let rig = Rig(stateDirectory: copy.path, seed: 9)
        let tracker = try await rig.tracker()
        await rig.pipeline.tend()
        await tracker.flush(timeout: .seconds(60))
        #expect(rig.actions == texts(numbers))
        #expect(tracker.counters.droppedByReason == [.damaged: 10 - numbers.count])
        #expect(
            rig.log.records.filter { $0.level == .error }.map(\.message).allSatisfy {
                $0.hasSuffix("dropped (damaged): their records in the staging file are damaged")
            })
        #expect(rig.log.records.contains { $0.level == .error })
    }

    @Test("events that a full disk does not take are sent by the next process")
    func survivesFullDisk() async throws {
        let rig = Rig(stateDirectory: directory.path)
        let tracker = try await rig.idleTracker()
        try await rig.pipeline.fail("INSERT ON events")
        for number in 1...5 {
            tracker.track(number...number)
            _ = await tracker.storedCounters()
        }
        #expect(try store.count() == 0)
        #expect(try await store.sentAfterKill() == texts(1...5))
        // What was sent from memory is not sent again.
        tracker.emitter.resume()
        await tracker.flush(timeout: .seconds(60))
        #expect(rig.actions.count == 5)
        await rig.pipeline.tend()
        #expect(try await store.sentAfterKill() == [])
        // At the end it is left to the next process, and is no loss.
        tracker.emitter.pause()
        await tracker.followed()
        tracker.track(6...9)
        let report = await rig.pipeline.shutdown(timeout: .zero)
        #expect(report.delivery == Delivery(sent: 5, stored: 4, dropped: 0))
        #expect(try await store.sentAfterKill() == texts(6...9))
    }

    @Test("once the disk has room again, the events are in one place")
    func leavesFullDisk() async throws {
        let rig = Rig(stateDirectory: directory.path)
        let tracker = try await rig.idleTracker()
        try await rig.pipeline.fail("INSERT ON events")
        tracker.track(1...10)
        _ = await tracker.storedCounters()
        try await rig.pipeline.repair()
        try await tracker.trackCommitted(Structured(category: "c", action: "11"))
        // What comes after the answer is done.
        await rig.pipeline.tend()
        #expect(try store.count() == 11)
        #expect(try await store.sentAfterKill().sorted() == texts(1...11).sorted())
    }

    @Test("events of a thread and of a tracker keep their order, also when they find no segment")
    func keepsOrder() async throws {
        let rig = Rig(stateDirectory: directory.path)
        let tracker = try await rig.idleTracker {
            $0.emitter?.byteLimitPost = 100_000_000
            // So that the staging file does not grow.
            $0.emitter?.maxEventStoreBytes = 8_900_000
        }
        try await rig.pipeline.holdingStore {
            for number in 1...20 {
                // On any of the pool's threads.
                await Task.detached { _ = tracker.track(PaddedEvent(action: "\(number)", size: 400_000)) }.value
            }
        }
        #expect(await tracker.storedCounters().stored == 20)
        #expect(rig.pipeline.unstagedEvents > 0)
        #expect(rig.log.records.filter { $0.message.contains("wait in memory only") }.count == 1)
        tracker.emitter.resume()
        await tracker.flush(timeout: .seconds(60))
        #expect(Set(rig.actions) == Set(texts(1...20)))
        let staged = rig.actions.prefix(20 - rig.pipeline.queue.unstagedCount)
        #expect(staged == staged.sorted { Int($0)! < Int($1)! }[...])
    }

    private func removeStaging() throws {
        try FileManager.default.removeItem(atPath: directory.file("events-0.staging"))
    }

    private func vanishings(_ rig: Rig) -> Int {
        rig.log.records.count { record in
            record.level == .error && record.message.contains("staging was removed or replaced while it was in use")
        }
    }

    @Test("a staging file that is removed or replaced while it is in use is made again", arguments: [false, true])
    func replacesVanished(isReplaced: Bool) async throws {
        let rig = Rig(stateDirectory: directory.path)
        let tracker = try await rig.idleTracker()
        try await rig.pipeline.holdingStore {
            tracker.track(1...5)
            try removeStaging()
            if isReplaced { directory.write("", to: "events-0.staging") }
        }
        try await tracker.trackCommitted(Structured(category: "c", action: "6"))
        #expect(vanishings(rig) == 1)
        try await rig.pipeline.holdingStore {
            tracker.track(7...10)
            let sent = try await store.sentAfterKill()
            #expect(sent == texts(1...10))
        }
        #expect(await tracker.storedCounters().stored == 10)
        #expect(try await store.sentAfterKill() == texts(1...10))
        await rig.pipeline.tend()
        #expect(vanishings(rig) == 1)
    }

    @Test("a staging file that is removed while nothing is tracked is made again by the next look")
    func replacesVanishedWhenIdle() async throws {
        let rig = Rig(stateDirectory: directory.path)
        let tracker = try await rig.idleTracker()
        try removeStaging()
        await rig.pipeline.tend()
        #expect(vanishings(rig) == 1)
        try await rig.pipeline.holdingStore {
            tracker.track(1...5)
            let sent = try await store.sentAfterKill()
            #expect(sent == texts(1...5))
        }
        // What something removes again and again is made once a second.
        try removeStaging()
        await rig.pipeline.tend()
        #expect(vanishings(rig) == 1)
        rig.time.advance(by: StoreCondition.replaceInterval)
        await rig.pipeline.tend()
        #expect(vanishings(rig) == 2)
        #expect(directory.names.contains("events-0.staging"))
    }

    @Test("a copy in the place of the staging file brings no event twice")
    func replacesCopy() async throws {
        let rig = Rig(stateDirectory: directory.path)
        let tracker = try await rig.idleTracker()
        try await rig.pipeline.fail("INSERT ON events")
        tracker.track(1...5)
        _ = await tracker.storedCounters()
        let (path, copy) = (directory.file("events-0.staging"), directory.file("copy"))
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        try #require(rename(copy, path) == 0)
        await rig.pipeline.tend()
        #expect(vanishings(rig) == 1)
        try await rig.pipeline.repair()
        await rig.pipeline.tend()
        try await tracker.trackCommitted(Structured(category: "c", action: "6"))
        tracker.emitter.resume()
        await tracker.flush(timeout: .seconds(60))
        #expect(rig.actions.sorted() == texts(1...6))
        #expect(tracker.counters.addUp)
    }

    @Test("a note of sent events that is lost with its staging file is an error in the log")
    func tellsOfLostNotes() async throws {
        let rig = Rig(stateDirectory: directory.path)
        let tracker = try await rig.idleTracker()
        try await rig.pipeline.fail("DELETE ON events")
        tracker.track(1...3)
        _ = await tracker.storedCounters()
        tracker.emitter.resume()
        await tracker.flush(timeout: .seconds(60))
        #expect(rig.actions.count == 3)
        try removeStaging()
        await rig.pipeline.shutdown(timeout: .zero)
        let errors = rig.log.records.filter { $0.level == .error }.map(\.message)
        #expect(
            errors.contains(
                "sent events that the disk could not remove will be sent again: no file has a note of them"))
        #expect(try await store.sentAfterKill() == ["1", "2", "3"])
    }

    @Test("no staging file is made in a directory that was replaced, before the database is")
    func leavesOthersFiles() async throws {
        let state = directory.file("state")
        let rig = Rig(stateDirectory: state)
        let tracker = try await rig.idleTracker()
        try FileManager.default.removeItem(atPath: state)
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
        await rig.pipeline.tend()
        #expect(TemporaryDirectory(at: state).names.isEmpty)
        tracker.track(1...5)
        #expect(await tracker.storedCounters().stored == 5)
        tracker.emitter.resume()
        await tracker.flush(timeout: .seconds(60))
        #expect(rig.actions == texts(1...5))
    }

    @Test("events of which a full disk and a removed staging file leave no copy are counted as lost at the end")
    func losesVanished() async throws {
        let rig = Rig(stateDirectory: directory.path)
        let tracker = try await rig.idleTracker()
        try await rig.pipeline.fail("INSERT ON events")
        tracker.track(1...5)
        _ = await tracker.storedCounters()
        try removeStaging()
        let report = await rig.pipeline.shutdown(timeout: .zero)
        #expect(report.delivery == Delivery(sent: 0, stored: 0, dropped: 5))
        #expect(tracker.counters.droppedByReason == [.notStored: 5])
        #expect(try await store.sentAfterKill() == [])
    }

    @Test("events that follow in the new staging file are left to the next process by a full disk")
    func keepsWhatFollows() async throws {
        let rig = Rig(stateDirectory: directory.path)
        let tracker = try await rig.idleTracker()
        try await rig.pipeline.fail("INSERT ON events")
        tracker.track(1...5)
        _ = await tracker.storedCounters()
        try removeStaging()
        // In the old file and in the new one, and taken at once.
        await rig.pipeline.reopenStaging(before: { tracker.track(6...7) }, after: { tracker.track(8...10) })
        _ = await tracker.storedCounters()
        #expect(try await store.sentAfterKill() == ["8", "9", "10"])
        let report = await rig.pipeline.shutdown(timeout: .zero)
        #expect(report.delivery == Delivery(sent: 0, stored: 3, dropped: 7))
        #expect(try await store.sentAfterKill() == ["8", "9", "10"])
    }

    @Test("what an earlier process left in a file that is removed is stored once the disk has room, or counted")
    func keepsLeftovers() async throws {
        let rig = Rig(stateDirectory: directory.path)
        let tracker = try await rig.idleTracker()
        var copies: [TemporaryDirectory] = []
        try await rig.pipeline.holdingStore {
            tracker.track(1...5)
            for _ in 0..<3 { copies.append(try store.copy()) }
        }
        for (copy, room) in zip(copies, ["before the end", "at the end", "never"]) {
            let next = Rig(stateDirectory: copy.path, seed: 9)
            try await next.pipeline.fail("INSERT ON events")
            let heir = try await next.idleTracker()
            await next.pipeline.tend()
            try FileManager.default.removeItem(atPath: copy.file("events-0.staging"))
            await next.pipeline.tend()
            #expect(vanishings(next) == 1)
            if room != "never" { try await next.pipeline.repair() }
            if room == "before the end" { await next.pipeline.tend() }
            await next.pipeline.closeStorage()
            #expect(heir.counters.droppedByReason == (room == "never" ? [.notStored: 5] : [:]))
            #expect(heir.counters.addUp(recovered: 5))
            #expect(try StoreFiles(directory: copy).count() == (room == "never" ? 0 : 5))
        }
    }

    @Test("a directory on a network file system is refused in a sentence, and events stay in memory")
    func refusesNetworks() async throws {
        let path = directory.file("state")
        let state = StateDirectory(path: path, service: "tests") { _ in FileSystem(type: 0x6969) }
        let rig = Rig(directory: state, seed: 1)
        let sentence = "\(path) is on a network file system (NFS), where other machines could change what this process "
        #expect(rig.pipeline.warnings.count == 1)
        #expect(rig.pipeline.warnings[0].contains(sentence))
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

    @Test("a staging file that cannot be made costs a warning, and no event")
    func worksWithout() async throws {
        try FileManager.default.createSymbolicLink(
            atPath: directory.file("events-0.staging"), withDestinationPath: directory.file("elsewhere"))
        let rig = Rig(stateDirectory: directory.path)
        let tracker = try await rig.tracker()
        try await tracker.trackCommitted(Structured(category: "c", action: "1"))
        #expect(rig.pipeline.warnings.count == 1)
        #expect(rig.pipeline.warnings[0].hasPrefix("a kill can lose the events of the last milliseconds: cannot open "))
        try FileManager.default.removeItem(atPath: directory.file("events-0.staging"))
        await rig.pipeline.tend()
        await tracker.flush(timeout: .seconds(60))
        #expect(rig.actions == ["1"])
        #expect(directory.names.contains("events-0.staging"))
        let infos = rig.log.records.filter { $0.level == .info }.map(\.message)
        #expect(infos.contains("events that are tracked from now on outlive a kill"))
    }
}

extension EventPipeline {
    /// Opens another staging file and gives it to the queue, in one turn of the store's thread.
    fileprivate func reopenStaging(before: @Sendable () -> Void, after: @Sendable () -> Void) {
        storage.reopenStaging()
        before()
        storage.release(to: queue)
        after()
    }

    /// Closes the storage, without a look at the queue before.
    fileprivate func closeStorage() {
        storage.close()
        applyChanges()
    }
}
