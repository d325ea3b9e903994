import Synchronization

/// An immutable object that is replaced as a whole and read from any thread without a lock.
final class RCUReference<Object: AnyObject & Sendable>: Sendable {
    private let domain: RCUDomain
    // Not of `Object`: a generic reader reads a type of known layout without asking the runtime.
    private let reference: Atomic<UInt>

    /// Publishes a first object.
    init(_ object: Object, in domain: RCUDomain) {
        self.domain = domain
        reference = Atomic(Self.bits(.passRetained(object)))
    }

    deinit {
        Self.unmanaged(reference.load(ordering: .relaxed)).release()
    }

    /// The object, kept alive for the caller.
    var current: Object {
        domain.read { unretained.takeUnretainedValue() }
    }

    /// Runs `body` with the object, without counting a reference.
    /// - Parameter body: As ``RCUDomain/read(_:)`` requires; must not keep the object.
    /// - Returns: What `body` returns.
    @inline(__always)
    func read<Result>(_ body: (Object) -> Result) -> Result {
        domain.read { unretained._withUnsafeGuaranteedRef(body) }
    }

    /// Runs `body` with the object if it is usable, as ``read(_:)`` does, and `other` if not.
    /// - Parameters:
    ///   - isUsable: Whether the object is usable; the same rules hold as for `body`.
    ///   - body: As ``RCUDomain/read(_:)`` requires; must not keep the object.
    ///   - other: What runs instead. No rules hold, because it is not a reader.
    /// - Returns: What `body` or `other` returns.
    @inline(__always)
    func read<Result>(
        where isUsable: (Object) -> Bool, _ body: (Object) -> Result, else other: () -> Result
    ) -> Result {
        let counter = domain.enter()
        let object = unretained
        if object._withUnsafeGuaranteedRef(isUsable) {
            defer { domain.leave(counter) }
            return object._withUnsafeGuaranteedRef(body)
        }
        domain.leave(counter)
        return other()
    }

    /// Replaces the object, and releases the old one here if no thread reads it.
    func replace(with object: Object) {
        domain.retire(exchange(object))
    }

    /// Replaces the object on a thread that must neither wait for a lock nor run a deinit.
    /// - Parameter object: The only reference to the new object; from now on it may end at any time, but not here.
    func replaceAsReader(with object: Unmanaged<Object>) {
        domain.retireInBackground(.fromOpaque(exchange(object).toOpaque()))
    }

    /// Replaces the object, for callers that hold a lock.
    /// - Returns: The old object, to be given to ``RCUDomain/retire(_:)`` outside the lock.
    func exchange(_ object: Object) -> Object {
        exchange(.passRetained(object)).takeRetainedValue()
    }

    private func exchange(_ object: Unmanaged<Object>) -> Unmanaged<Object> {
        Self.unmanaged(reference.exchange(Self.bits(object), ordering: .sequentiallyConsistent))
    }

    /// For readers of the domain alone.
    @inline(__always)
    private var unretained: Unmanaged<Object> { Self.unmanaged(reference.load(ordering: .sequentiallyConsistent)) }

    private static func bits(_ object: Unmanaged<Object>) -> UInt { UInt(bitPattern: object.toOpaque()) }

    @inline(__always)
    private static func unmanaged(_ reference: UInt) -> Unmanaged<Object> {
        Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: reference).unsafelyUnwrapped)
    }
}
