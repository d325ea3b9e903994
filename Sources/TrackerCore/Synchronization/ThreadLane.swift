import Glibc
import Synchronization

/// Assigns threads to eight lanes, so that per-lane state is rarely contended.
package enum ThreadLane {
    /// A value for each lane.
    typealias Each<Value: ~Copyable> = InlineArray<8, Value>

    /// How many lanes there are; threads beyond share them.
    package static let count = Each<Int>.count

    // Nil if the process has no key left.
    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        return pthread_key_create(&key, nil) == 0 ? key : nil
    }()
    private static let next = Atomic(0)

    /// The lane of the calling thread, from 0 and below ``count``.
    package static var own: Int {
        guard let key else { return Int(bitPattern: UInt(pthread_self()) >> 12) % count }
        let known = Int(bitPattern: pthread_getspecific(key))
        if known > 0 { return known - 1 }
        let lane = next.wrappingAdd(1, ordering: .relaxed).oldValue % count
        pthread_setspecific(key, UnsafeRawPointer(bitPattern: lane + 1))
        return lane
    }
}
