import Foundation
import TestSupport
import Testing
import TrackerTesting

@testable import TrackerCore

/// Children that are forked without `exec` while their parent has events.
@Suite("a forked child and its parent's events", .endsWhenItHangs, .mayBlock)
struct ForkedChildTests {
    private let directory = TemporaryDirectory()

    @Test("while a child lives, another process takes over the events of its dead parent")
    func keepsNoLock() async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = directory.path as String] in
            let rig = Rig(stateDirectory: "\(path)/state")
            let tracker = try await rig.idleTracker()
            tracker.track(1...3)
            _ = await tracker.storedCounters()
            let child = ForkedChild.start()
            if child == 0 { ForkedChild.live() }
            try Data("\(child)".utf8).write(to: URL(filePath: "\(path)/child"))
            kill(getpid(), SIGKILL)
        }
        let child = try #require(pid_t(String(contentsOfFile: directory.file("child"), encoding: .utf8)))
        defer { kill(child, SIGKILL) }
        let next = Rig(stateDirectory: directory.file("state"), seed: 2)
        let tracker = try await next.tracker()
        await tracker.flush(timeout: .seconds(60))
        #expect(next.actions == ["1", "2", "3"])
        #expect(kill(child, 0) == 0)
    }

    @Test("a child does not have the memory of its parent's staging file, and can release what it inherited")
    func hasNoStagingMemory() async {
        await #expect(processExitsWith: .success) {
            let directory = TemporaryDirectory()
            var rig: Rig? = Rig(stateDirectory: directory.path)
            rig = try await Self.tracked(rig)
            precondition(Self.mapsStagingFile() == true)
            let child = ForkedChild.start()
            if child == 0 {
                let isUnmapped = Self.mapsStagingFile() == false
                rig = nil
                ForkedChild.end(isUnmapped)
            }
            precondition(ForkedChild.wasRight(child))
            // The parent's lock is still held.
            let taken = try FileLock(path: directory.file("events-0.lock"))
            precondition(taken == nil)
            await rig?.pipeline.shutdown(timeout: .zero)
        }
    }

    @Test("a child closes the locks of 1,024 files, and keeps those beyond until others are gone")
    func boundsLocks() async {
        await #expect(processExitsWith: .success) {
            // None of these is open.
            let numbers = (0..<1023).map { Int32(1 << 20) + $0 }
            for number in numbers { LockDescriptors.add(number) }
            let directory = TemporaryDirectory()
            var locks = try ["last", "beyond"].map { try FileLock(path: directory.file($0)) }
            LockDescriptors.remove(numbers[500])
            locks.append(try FileLock(path: directory.file("later")))
            let descriptors = locks.compactMap { $0?.descriptor }
            precondition(descriptors.count == 3)
            let child = ForkedChild.start()
            if child == 0 { ForkedChild.end(descriptors.map { fcntl($0, F_GETFD) >= 0 } == [false, true, false]) }
            precondition(ForkedChild.wasRight(child))
            withExtendedLifetime(locks) {}
        }
    }

    /// Whether the process has the memory of a staging file; nil if that is not known.
    private static func mapsStagingFile() -> Bool? {
        // A `String` of this file would have its first page alone.
        let maps = try? FileHandle(forReadingFrom: URL(filePath: "/proc/self/maps")).readToEnd()
        return maps.map { $0.firstRange(of: Data("events-0.staging".utf8)) != nil }
    }

    private static func tracked(_ rig: Rig?) async throws -> Rig? {
        let tracker = try await rig?.idleTracker()
        tracker?.track(1...3)
        _ = await tracker?.storedCounters()
        return rig
    }
}
