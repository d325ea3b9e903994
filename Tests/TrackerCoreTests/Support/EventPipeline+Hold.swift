import Dispatch
import TestSupport
import Testing

@testable import TrackerCore

extension EventPipeline {
    /// Lets statements on the store fail, as on a full disk, until ``repair()``.
    func fail(_ statements: String...) throws {
        for (number, statement) in statements.enumerated() {
            try storage.disk?.database.execute(
                """
                CREATE TEMP TRIGGER failing\(number) BEFORE \(statement)
                BEGIN SELECT RAISE(ABORT, 'the test''s disk is full'); END
                """)
        }
    }

    func repair() throws {
        try storage.disk?.database.execute("DROP TRIGGER failing0; DROP TRIGGER IF EXISTS failing1")
    }

    /// Lets every write fail.
    func setReadOnly(_ isReadOnly: Bool) throws {
        try storage.disk?.database.execute("PRAGMA query_only = \(isReadOnly ? "ON" : "OFF")")
    }

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
