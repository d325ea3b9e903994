import Dispatch
import TestSupport
import Testing
import TrackerCore

extension EventPipeline {
    /// Holds the thread of the store until `end` is signalled.
    private func hold(_ isHeld: Locked<Bool>, until end: DispatchSemaphore) {
        isHeld.withLock { $0 = true }
        end.wait()
    }

    /// Holds the thread of the store while `body` runs.
    nonisolated func holdingStore(_ body: () async throws -> Void) async throws {
        let (isHeld, end) = (Locked(false), DispatchSemaphore(value: 0))
        Task { await hold(isHeld, until: end) }
        defer { end.signal() }
        try await waitUntil("the store's thread is held") { isHeld.withLock { $0 } }
        try await body()
    }
}
