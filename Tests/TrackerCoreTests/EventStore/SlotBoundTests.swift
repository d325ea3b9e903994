import Foundation
import TestSupport
import Testing
import TrackerTesting

@testable import TrackerCore

@Suite("the slots of a directory", .endsWhenItHangs, .mayBlock)
struct SlotBoundTests {
    @Test("have an end where all locks are taken: events are kept in memory, which is logged and shown")
    func endsWithoutSlots() async {
        await #expect(processExitsWith: .success) {
            let directory = TemporaryDirectory()
            var locks = try (0..<StateDirectory.maxSlots).map {
                try FileLock(path: directory.file("log-\($0).lock"))
            }
            precondition(!locks.contains { $0 == nil })
            let rig = Rig(stateDirectory: directory.path)
            let tracker = try await rig.tracker()
            tracker.track(1...1)
            await tracker.flush(timeout: .seconds(60))
            precondition(rig.actions == ["1"])
            precondition(directory.names.count == StateDirectory.maxSlots)
            let sentence = "all 1000 slots in \(directory.path) are taken"
            precondition(rig.log.records.contains { $0.level == .error && $0.message.contains(sentence) })
            precondition(rig.pipeline.storeFailure?.text.contains(sentence) == true)
            // As soon as one is free the events are on disk.
            locks[7] = nil
            rig.time.advance(by: StoreCondition.openInterval)
            await rig.pipeline.maintain()
            precondition(rig.pipeline.storeFailure == nil)
        }
    }
}
