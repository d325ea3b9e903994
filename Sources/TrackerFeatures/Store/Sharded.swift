import Glibc

/// A value that many threads read and few replace. Each thread has one of 16 copies with a lock of its own, so that readers seldom
/// meet.
final class Sharded<Value: Sendable>: Sendable {
    private static var bits: Int { 4 }

    private let shards: [Locked<Value>]

    init(_ value: Value) {
        shards = (0..<1 << Self.bits).map { _ in Locked(value) }
    }

    /// Runs `body` with this thread's copy, alone.
    /// - Parameter body: Short and without user code, as for ``Locked``.
    /// - Returns: What `body` returns.
    @inline(__always)
    func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        // The address of a thread's own block: spread by the golden ratio, because such blocks lie at regular distances.
        let thread = UInt64(UInt(pthread_self())) &* 0x9E37_79B9_7F4A_7C15
        return shards[Int(truncatingIfNeeded: thread &>> UInt64(64 - Self.bits))].withLock(body)
    }

    /// Changes this thread's copy, and releases what was in it outside the lock, because its end may run user code.
    /// - Parameter body: As for ``withLock(_:)``; returns what to release.
    func discard<Discarded>(_ body: (inout Value) -> Discarded) { withExtendedLifetime(withLock(body)) {} }

    /// Replaces all copies.
    /// - Returns: The old ones, for callers that hold a lock to release outside of it.
    @discardableResult
    func replace(with value: Value) -> [Value] { shards.map { $0.exchange(value) } }
}
