import Dispatch
import TestSupport

@testable import TrackerCore

extension EventPipeline {
    /// Lets every insertion fail, as on a full disk.
    func setFull(_ isFull: Bool) throws {
        try storage.disk?.database.execute(
            isFull
                ? "CREATE TEMP TRIGGER full BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'the disk is full'); END"
                : "DROP TRIGGER full")
    }

    /// Holds the thread until `end` is signalled.
    func hold(_ begun: DispatchSemaphore, until end: DispatchSemaphore) {
        begun.signal()
        end.wait()
    }

    /// Holds the thread of the store while `body` runs.
    nonisolated func holdingStore(_ body: () async throws -> Void) async throws {
        let (begun, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        Task { await hold(begun, until: end) }
        await Threads.run { begun.wait() }
        defer { end.signal() }
        try await body()
    }
}
