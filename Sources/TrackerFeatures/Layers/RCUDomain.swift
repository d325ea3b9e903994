import Glibc
import Synchronization

/// Lets any number of threads read what now and then one of them replaces, without a lock and without counting references
/// in memory that they share: read-copy-update (https://www.kernel.org/doc/html/latest/RCU/whatisRCU.html).
///
/// A reader announces itself in one of some counters, each on a cache line of its own. What was replaced is let go of
/// when every counter has been seen at zero since: whoever could have been reading it has ended.
final class RCUDomain: Sendable {
    private static let shardBits = 5
    private static let shardCount = 1 << shardBits
    // Two cache lines of 64 bytes, because processors fetch them in pairs.
    private static let stride = 16

    /// What nobody finds any more, with a bit for each counter that was not yet seen at zero.
    private struct Retired: Sendable {
        let object: any AnyObject & Sendable
        var pending = UInt32.max
    }

    nonisolated(unsafe) private let counters: UnsafeMutablePointer<Atomic<Int>>
    private let retired = Locked<[Retired]>([])

    init() {
        counters = .allocate(capacity: Self.shardCount * Self.stride)
        for index in 0..<Self.shardCount * Self.stride { (counters + index).initialize(to: Atomic(0)) }
    }

    deinit {
        counters.deinitialize(count: Self.shardCount * Self.stride).deallocate()
    }

    /// Runs `body` as a reader.
    /// - Parameter body: Short, without a wait and without user code: while it runs, nothing is let go of.
    /// - Returns: What it answers.
    @inline(__always)
    func read<Result>(_ body: () -> Result) -> Result {
        let counter = enter()
        defer { leave(counter) }
        return body()
    }

    /// Announces a reader, who must leave by the counter that this gives; what ``read(_:)`` asks of its body holds here too.
    @inline(__always)
    func enter() -> UnsafeMutablePointer<Atomic<Int>> {
        // The address of a thread's own block: spread by the golden ratio, because such blocks lie at regular distances.
        let thread = UInt64(pthread_self()) &* 0x9E37_79B9_7F4A_7C15
        let counter = counters + Int(truncatingIfNeeded: thread &>> UInt64(64 - Self.shardBits)) &* Self.stride
        // Before all reads that follow, in the eyes of every thread.
        counter.pointee.wrappingAdd(1, ordering: .sequentiallyConsistent)
        return counter
    }

    /// Ends what ``enter()`` began.
    @inline(__always)
    func leave(_ counter: UnsafeMutablePointer<Atomic<Int>>) {
        counter.pointee.wrappingSubtract(1, ordering: .releasing)
    }

    /// Takes what was replaced, and lets go of what nobody reads any more; never waits.
    /// - Parameter object: An object that no reader finds from now on. It and others may end here, so hold no lock.
    func retire(_ object: any AnyObject & Sendable) {
        retired.discard { retired in
            retired.append(Retired(object: object))
            var idle = UInt32(0)
            for shard in 0..<Self.shardCount
            where (counters + shard * Self.stride).pointee.load(ordering: .sequentiallyConsistent) == 0 {
                idle |= 1 << UInt32(shard)
            }
            for index in retired.indices { retired[index].pending &= ~idle }
            let unread = retired.filter { $0.pending == 0 }
            retired.removeAll { $0.pending == 0 }
            return unread
        }
    }
}
