import Synchronization

/// A closure that is called for changes or events, until it is cancelled or its source ends.
///
/// It need not be retained: without a reference, the closure stays but cannot be cancelled.
public final class Subscription: Sendable {
    private let isCancelled = Atomic(false)
    private let end: @Sendable (Subscription) -> Void

    /// - Parameter end: Removes the closure.
    package init(end: @escaping @Sendable (Subscription) -> Void = { _ in }) {
        self.end = end
    }

    /// Cancels the subscription. A call that is in progress on another thread finishes, and none begins.
    public func cancel() {
        isCancelled.store(true, ordering: .sequentiallyConsistent)
        end(self)
    }

    package var isActive: Bool { !isCancelled.load(ordering: .sequentiallyConsistent) }
}

/// The closures of subscriptions, in the order in which they were added.
struct Handlers<Action: Sendable>: Sendable {
    private(set) var all: [(subscription: Subscription, action: Action)] = []

    var isEmpty: Bool { all.isEmpty }

    mutating func add(_ subscription: Subscription, _ action: Action) {
        all.append((subscription, action))
    }

    mutating func remove(_ subscription: Subscription) {
        all.removeAll { $0.subscription === subscription }
    }

    /// Calls the closures that are not cancelled; call it outside all locks.
    func call(_ body: (Action) -> Void) {
        for (subscription, action) in all where subscription.isActive { body(action) }
    }
}
