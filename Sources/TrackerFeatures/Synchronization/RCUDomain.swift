import Glibc
import Synchronization

/// Lets any number of threads read objects that are replaced now and then, without a lock and without counting references
/// in shared memory: read-copy-update (https://www.kernel.org/doc/html/latest/RCU/whatisRCU.html).
///
/// A reader announces itself in one of some counters, each on a cache line of its own. A replaced object is released once
/// every counter has been zero since: by then all its readers have left. A writer releases what it can at once; the rest is
/// released in the background, without waiting for another change.
final class RCUDomain: Sendable {
    private static let shardBits = 5
    private static let shardCount = 1 << shardBits
    // Two cache lines of 64 bytes, because processors fetch them in pairs.
    private static let stride = 16

    /// The pause before the background looks for readers; it doubles from one to the next up to the longest.
    private static let (firstPause, longestPause) = (Duration.milliseconds(1), Duration.milliseconds(64))

    /// What is published and replaced.
    typealias Object = any AnyObject & Sendable

    /// A replaced object, with a bit for each counter that was not yet seen at zero.
    private struct Retired: Sendable {
        let object: Object
        var pending = UInt32.max
    }

    /// An element of the list of objects that readers have replaced.
    private struct Node {
        let object: Unmanaged<Object>
        var next: UnsafeMutablePointer<Node>?
    }

    nonisolated(unsafe) private let counters: UnsafeMutablePointer<Atomic<Int>>
    private let time: any TimeSource
    private let retired = Locked<[Retired]>([])
    // A list and not an array behind the lock: a reader must not wait for a thread that holds it.
    private let replacedByReaders = Atomic<UInt>(0)
    private let isReclaiming = Atomic(false)

    /// Creates a domain.
    /// - Parameter time: The clock by which the background pauses.
    init(time: any TimeSource = SystemTime()) {
        self.time = time
        counters = .allocate(capacity: Self.shardCount * Self.stride)
        for index in 0..<Self.shardCount * Self.stride { (counters + index).initialize(to: Atomic(0)) }
    }

    deinit {
        _ = takeReplacedByReaders()
        counters.deinitialize(count: Self.shardCount * Self.stride).deallocate()
    }

    /// Runs `body` as a reader.
    /// - Parameter body: Short, without a wait and without user code: no object is released while it runs.
    /// - Returns: What `body` returns.
    @inline(__always)
    func read<Result>(_ body: () -> Result) -> Result {
        let counter = enter()
        defer { leave(counter) }
        return body()
    }

    /// Announces a reader. Between this and ``leave(_:)`` the same rules hold as for the body of ``read(_:)``.
    /// - Returns: What ``leave(_:)`` takes.
    @inline(__always)
    func enter() -> UnsafeMutablePointer<Atomic<Int>> {
        // The address of a thread's own block: spread by the golden ratio, because such blocks lie at regular distances.
        let thread = UInt64(pthread_self()) &* 0x9E37_79B9_7F4A_7C15
        let counter = counters + Int(truncatingIfNeeded: thread &>> UInt64(64 - Self.shardBits)) &* Self.stride
        // Before all reads that follow, in the eyes of every thread.
        counter.pointee.wrappingAdd(1, ordering: .sequentiallyConsistent)
        return counter
    }

    /// Completes what ``enter()`` began.
    @inline(__always)
    func leave(_ counter: UnsafeMutablePointer<Atomic<Int>>) {
        counter.pointee.wrappingSubtract(1, ordering: .releasing)
    }

    /// Releases a replaced object, and others that were retired before: at once those that no thread reads, the rest in the
    /// background. Never waits for a reader.
    /// - Parameter object: An object that no reader finds from now on. Its deinit may run here, so hold no lock.
    func retire(_ object: Object) {
        if !releaseUnread(and: object) { reclaimInBackground() }
    }

    /// Releases a replaced object in the background. It takes no lock and runs no deinit here, as the threads of a service
    /// that read must not pay for what they replace.
    /// - Parameter object: The reference to an object that no reader finds from now on; it passes to the background. A second
    ///   one, of the caller, would be the last where the background is faster.
    func retireInBackground(_ object: Unmanaged<Object>) {
        let node = UnsafeMutablePointer<Node>.allocate(capacity: 1)
        var head = replacedByReaders.load(ordering: .relaxed)
        node.initialize(to: Node(object: object, next: UnsafeMutablePointer(bitPattern: head)))
        while true {
            let (isDone, latest) = replacedByReaders.weakCompareExchange(
                expected: head, desired: UInt(bitPattern: node), ordering: .acquiringAndReleasing)
            if isDone { break }
            head = latest
            node.pointee.next = UnsafeMutablePointer(bitPattern: head)
        }
        reclaimInBackground()
    }

    private func reclaimInBackground() {
        guard !isReclaiming.exchange(true, ordering: .sequentiallyConsistent) else { return }
        Task.detached(priority: .utility) { [weak self, time] in
            var pause = Self.firstPause
            // A domain that is gone has released everything.
            while await time.sleepUnlessCancelled(for: pause), let self, !self.isDone() {
                pause = min(pause * 2, Self.longestPause)
            }
        }
    }

    /// Releases what no thread reads any more.
    /// - Returns: Whether nothing is left for the background.
    private func isDone() -> Bool {
        guard releaseUnread() else { return false }
        isReclaiming.store(false, ordering: .sequentiallyConsistent)
        // An object that was retired in between was left to this task, which was still at work.
        return releaseUnread() || isReclaiming.exchange(true, ordering: .sequentiallyConsistent)
    }

    /// Releases all retired objects that no thread reads.
    /// - Parameter object: One more retired object.
    /// - Returns: Whether none is left.
    private func releaseUnread(and object: Object? = nil) -> Bool {
        let objects = takeReplacedByReaders() + (object.map { [$0] } ?? [])
        let (unread, isEmpty) = retired.withLock { retired in
            retired += objects.map { Retired(object: $0) }
            var idle = UInt32(0)
            for shard in 0..<Self.shardCount
            where (counters + shard * Self.stride).pointee.load(ordering: .sequentiallyConsistent) == 0 {
                idle |= 1 << UInt32(shard)
            }
            for index in retired.indices { retired[index].pending &= ~idle }
            let unread = retired.filter { $0.pending == 0 }
            retired.removeAll { $0.pending == 0 }
            return (unread, retired.isEmpty)
        }
        // Released here, outside the lock.
        return withExtendedLifetime(unread) { isEmpty }
    }

    private func takeReplacedByReaders() -> [Object] {
        var next = UnsafeMutablePointer<Node>(
            bitPattern: replacedByReaders.exchange(0, ordering: .sequentiallyConsistent))
        var objects: [Object] = []
        while let pointer = next {
            let node = pointer.move()
            pointer.deallocate()
            objects.append(node.object.takeRetainedValue())
            next = node.next
        }
        return objects
    }
}
