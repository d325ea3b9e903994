import Synchronization

/// An immutable object that is replaced as a whole and read from any thread without a lock.
final class RCUReference<Object: AnyObject & Sendable>: Sendable {
    private let domain: RCUDomain
    // Not of `Object`: what a generic reader knows the layout of, it reads without asking the runtime.
    private let reference: Atomic<UInt>

    /// Publishes a first object.
    init(_ object: Object, in domain: RCUDomain) {
        self.domain = domain
        reference = Atomic(Self.retained(object))
    }

    deinit {
        Self.unmanaged(reference.load(ordering: .relaxed)).release()
    }

    /// The object, kept alive for the caller.
    var current: Object {
        domain.read { unretained.takeUnretainedValue() }
    }

    /// Runs `body` with the object, without counting a reference.
    /// - Parameter body: As ``RCUDomain/read(_:)`` wants it; must not keep the object.
    /// - Returns: What it answers.
    @inline(__always)
    func read<Result>(_ body: (Object) -> Result) -> Result {
        domain.read { unretained._withUnsafeGuaranteedRef(body) }
    }

    /// Runs `body` with the object where it is usable, as ``read(_:)`` does, and else another way to an answer.
    /// - Parameters:
    ///   - isUsable: Whether the object is, under the same terms.
    ///   - body: As ``RCUDomain/read(_:)`` wants it; must not keep the object.
    ///   - other: The other way; does as it likes, because it is no reader.
    /// - Returns: What one of them answers.
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

    /// Puts another object in the place of the current one.
    func replace(with object: Object) {
        domain.retire(exchange(object))
    }

    /// Puts another object in the place of the current one, for those who hold a lock.
    /// - Returns: The old one, to be given to ``RCUDomain/retire(_:)`` outside the lock.
    func exchange(_ object: Object) -> Object {
        let old = reference.exchange(Self.retained(object), ordering: .sequentiallyConsistent)
        return Self.unmanaged(old).takeRetainedValue()
    }

    /// For readers of the domain alone.
    @inline(__always)
    private var unretained: Unmanaged<Object> { Self.unmanaged(reference.load(ordering: .sequentiallyConsistent)) }

    private static func retained(_ object: Object) -> UInt {
        UInt(bitPattern: Unmanaged.passRetained(object).toOpaque())
    }

    @inline(__always)
    private static func unmanaged(_ reference: UInt) -> Unmanaged<Object> {
        Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: reference).unsafelyUnwrapped)
    }
}
