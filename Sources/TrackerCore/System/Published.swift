import Synchronization

/// An immutable object that is replaced as a whole and read from any thread without a lock.
package final class Published<Object: AnyObject & Sendable>: Sendable {
    private let domain: ReadDomain
    private let reference: Atomic<Unmanaged<Object>>

    /// Publishes a first object.
    package init(_ object: Object, in domain: ReadDomain) {
        self.domain = domain
        reference = Atomic(Unmanaged.passRetained(object))
    }

    deinit {
        reference.load(ordering: .relaxed).release()
    }

    /// The object, kept alive for the caller.
    package var current: Object {
        domain.read { reference.load(ordering: .sequentiallyConsistent).takeUnretainedValue() }
    }

    /// Runs `body` with the object, without counting a reference.
    /// - Parameter body: As ``ReadDomain/read(_:)`` wants it; must not keep the object.
    /// - Returns: What it answers.
    @inline(__always)
    package func read<Result>(_ body: (Object) -> Result) -> Result {
        domain.read { reference.load(ordering: .sequentiallyConsistent)._withUnsafeGuaranteedRef(body) }
    }

    /// Puts another object in the place of the current one.
    package func replace(with object: Object) {
        domain.retire(exchange(object))
    }

    /// Puts another object in the place of the current one, for those who hold a lock.
    /// - Returns: The old one, to be given to ``ReadDomain/retire(_:)`` outside the lock.
    package func exchange(_ object: Object) -> Object {
        reference.exchange(Unmanaged.passRetained(object), ordering: .sequentiallyConsistent).takeRetainedValue()
    }
}
