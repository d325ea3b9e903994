import Synchronization

/// A closure that is called when features change, until it is cancelled or the setup is released.
public final class FeatureObservation: Sendable {
    private let isCancelled = Atomic(false)
    private let end: @Sendable () -> Void

    init(end: @escaping @Sendable () -> Void) {
        self.end = end
    }

    /// Cancels the observation. A call that is in progress on another thread finishes, and none begins.
    public func cancel() {
        isCancelled.store(true, ordering: .sequentiallyConsistent)
        end()
    }

    var isActive: Bool { !isCancelled.load(ordering: .sequentiallyConsistent) }
}
