import Synchronization

/// Holds threads until all are there.
package final class Gate: Sendable {
    private let missing: Atomic<Int>
    private let openingTime = Atomic<UInt64>(0)

    package init(_ count: Int) {
        missing = Atomic(count)
    }

    /// When the last one came, in nanoseconds; zero before.
    package var opened: UInt64 { openingTime.load(ordering: .sequentiallyConsistent) }

    package func wait() {
        if missing.subtract(1, ordering: .sequentiallyConsistent).newValue == 0 {
            openingTime.store(Meter.nanoseconds, ordering: .sequentiallyConsistent)
        }
        while opened == 0 {}
    }
}
