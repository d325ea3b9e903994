import TrackerPlatform

/// A value that many threads read and few replace. It has 16 copies with separate mutexes, and each thread uses one of
/// them, so that readers rarely block each other.
///
/// It does not use ``Locked``, whose generic code is not specialized in other modules.
final class Sharded<Value: Sendable>: @unchecked Sendable {
    private struct Shard {
        var mutex = pthread_mutex_t()
        var value: Value
    }

    private static var bits: Int { 4 }
    // Two cache lines, which some processors load together, so that threads with different copies share none.
    private static var stride: Int { (MemoryLayout<Shard>.size + 127) & ~127 }

    private let memory = UnsafeMutableRawPointer.allocate(byteCount: stride << bits, alignment: 128)

    init(_ value: Value) {
        for index in 0..<1 << Self.bits {
            let shard = (memory + index * Self.stride).bindMemory(to: Shard.self, capacity: 1)
            shard.initialize(to: Shard(value: value))
            pthread_mutex_init(&shard.pointee.mutex, nil)
        }
    }

    deinit {
        for index in 0..<1 << Self.bits {
            pthread_mutex_destroy(&shard(index).pointee.mutex)
            shard(index).deinitialize(count: 1)
        }
        memory.deallocate()
    }

    @inline(__always)
    private func shard(_ index: Int) -> UnsafeMutablePointer<Shard> {
        (memory + index &* Self.stride).assumingMemoryBound(to: Shard.self)
    }

    /// Runs `body` with this thread's copy, under its mutex.
    /// - Parameter body: The operation, which must be short and free of user code.
    /// - Returns: The result of `body`.
    @inline(__always)
    func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        // Hash the address of the thread's block with the golden ratio, because such blocks have regular distances.
        let thread = UInt64(UInt(pthread_self())) &* 0x9E37_79B9_7F4A_7C15
        return lock(shard(Int(truncatingIfNeeded: thread &>> UInt64(64 - Self.bits))), body)
    }

    @inline(__always)
    private func lock<Result>(_ shard: UnsafeMutablePointer<Shard>, _ body: (inout Value) -> Result) -> Result {
        pthread_mutex_lock(&shard.pointee.mutex)
        defer { pthread_mutex_unlock(&shard.pointee.mutex) }
        return body(&shard.pointee.value)
    }

    /// Replaces this thread's copy.
    /// - Returns: The old copy, to be released outside the lock, because its deinit may run user code.
    @discardableResult
    func exchange(_ value: Value) -> Value {
        withLock { copy in
            defer { copy = value }
            return copy
        }
    }

    /// Replaces all copies.
    /// - Returns: The old copies, so that callers can release them outside their locks.
    @discardableResult
    func replace(with value: Value) -> [Value] {
        (0..<1 << Self.bits).map { index in
            lock(shard(index)) { copy in
                defer { copy = value }
                return copy
            }
        }
    }
}
