import Glibc
import Synchronization

/// The descriptors of locked files, which a forked child closes at once.
///
/// A lock of `flock` belongs to the open file. A child that is forked without `exec` shares it, so the lock of a dead parent would
/// stay taken for as long as the child lives. Open file description locks of `fcntl` are shared in the same way. Its record locks
/// are not, but they end when the process closes any descriptor of the file, and two setups of one process would both get one.
package enum LockDescriptors {
    /// A child keeps the locks beyond these; a setup has two, and a third for some milliseconds.
    private static let capacity = 1024
    // The handler of a fork can take no lock. Each place has a descriptor plus one; 0 is free.
    nonisolated(unsafe) private static let table = {
        let table = UnsafeMutablePointer<Atomic<Int32>>.allocate(capacity: capacity)
        for place in 0..<capacity { (table + place).initialize(to: Atomic(0)) }
        return table
    }()
    private static let installation: Void = {
        // What the handler touches must be there before it: it cannot make anything.
        _ = table
        pthread_atfork(nil, nil, { LockDescriptors.closeAll() })
    }()

    /// Lets a forked child close a descriptor, until it is removed.
    package static func add(_ descriptor: Int32) {
        _ = installation
        exchange(0, descriptor + 1)
    }

    /// Lets a forked child keep a descriptor, which is about to be closed.
    static func remove(_ descriptor: Int32) {
        exchange(descriptor + 1, 0)
    }

    private static func exchange(_ old: Int32, _ new: Int32) {
        for place in 0..<capacity
        where table[place].compareExchange(expected: old, desired: new, ordering: .sequentiallyConsistent).exchanged {
            return
        }
    }

    /// Runs in the child, before `fork` returns.
    private static func closeAll() {
        for place in 0..<capacity {
            let descriptor = table[place].exchange(0, ordering: .sequentiallyConsistent) - 1
            if descriptor >= 0 { close(descriptor) }
        }
    }
}
