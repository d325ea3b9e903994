/// The listeners for changes. Each is called for every change in the order of the snapshots, one at a time and outside
/// all locks.
///
/// The thread that makes a change also calls the listeners, unless another thread is calling them; then that thread
/// delivers the change too. While a document is applied and its update is delivered, changes are held, so that
/// listeners run after the callback of the update.
package final class FeatureListeners: Sendable {
    /// Receives two snapshots; there is no old one the first time.
    typealias Receive = @Sendable (_ old: FeatureLayers?, _ new: FeatureLayers) -> Void

    /// The maximum number of changes that wait for a slow listener, because each retains the features of its time.
    private static let maxWaiting = 100

    private struct Listener {
        let subscription: Subscription
        let receive: Receive
        let end: (@Sendable () -> Void)?
        /// The last snapshot that the listener received.
        var seen: FeatureLayers?
    }

    private struct State {
        /// The last queued snapshot.
        var latest: FeatureLayers
        /// The snapshots that were not delivered yet.
        var waiting: [FeatureLayers] = []
        var listeners: [Listener] = []
        var isDelivering = false
        /// The number of updates whose delivery holds the changes.
        var holds = 0
        var isFinished = false
    }

    private let state: Locked<State>

    init(_ layers: FeatureLayers) {
        state = Locked(State(latest: layers))
    }

    /// Holds all changes until ``release(delivers:)``.
    func hold() {
        state.withLock { $0.holds += 1 }
    }

    /// Stops holding changes back after a ``hold()``.
    /// - Parameter delivers: Whether to deliver the held changes; if false, the next ``deliver()`` delivers them.
    package func release(delivers: Bool = true) {
        state.withLock { $0.holds -= 1 }
        if delivers { deliver() }
    }

    /// Queues a snapshot for ``deliver()``. If too many wait, it replaces the last one.
    func enqueue(_ layers: FeatureLayers) {
        // Old snapshots are released outside the lock, because they may be large.
        state.discard { state in
            let isFull = state.waiting.count >= Self.maxWaiting
            let old = (state.latest, isFull ? state.waiting.removeLast() : nil)
            state.latest = layers
            if !state.listeners.isEmpty { state.waiting.append(layers) }
            return old
        }
    }

    /// Adds a listener, and calls it with the current snapshot, even while changes are held.
    /// - Parameters:
    ///   - subscription: The subscription that removes the listener.
    ///   - end: Finishes the listener's sequence when nothing more will be delivered; nil if it has none.
    ///   - receive: The listener.
    func add(_ subscription: Subscription, end: (@Sendable () -> Void)?, _ receive: @escaping Receive) {
        let isFinished = state.withLock { state in
            state.listeners.append(Listener(subscription: subscription, receive: receive, end: end))
            return state.isFinished
        }
        deliver()
        if isFinished, let end {
            end()
            subscription.cancel()
        }
    }

    func remove(_ subscription: Subscription) {
        state.discard { state in
            let removed = state.listeners.filter { $0.subscription === subscription }
            state.listeners.removeAll { $0.subscription === subscription }
            return removed
        }
    }

    /// Finishes all sequences; sequences that are added later finish after the current snapshot.
    func finish() {
        let ends = state.withLock { state in
            state.isFinished = true
            return state.listeners.compactMap(\.end)
        }
        for end in ends { end() }
    }

    /// Calls the listeners with all queued snapshots, unless another thread is doing so.
    func deliver() {
        let isFirst = state.withLock { state in
            defer { state.isDelivering = true }
            return !state.isDelivering
        }
        guard isFirst else { return }
        // Listeners must not see the context of the request that makes the change.
        withTrackingContext(nil) {
            while let (listeners, layers) = next() {
                for listener in listeners where listener.subscription.isActive {
                    listener.receive(listener.seen, layers)
                }
            }
        }
    }

    /// Returns the next snapshot to deliver, with its listeners; nil if there is none.
    private func next() -> (listeners: [Listener], layers: FeatureLayers)? {
        state.withLock { state in
            // A new listener receives the current snapshot, even if earlier changes are held.
            let isFirst = state.listeners.contains { $0.seen == nil }
            guard isFirst || state.holds == 0 && !state.waiting.isEmpty else {
                state.isDelivering = false
                return nil
            }
            let layers = isFirst ? state.latest : state.waiting.removeFirst()
            var receivers: [Listener] = []
            for (index, listener) in state.listeners.enumerated() where isFirst == (listener.seen == nil) {
                if let seen = listener.seen, seen.generation >= layers.generation { continue }
                state.listeners[index].seen = layers
                receivers.append(listener)
            }
            return (receivers, layers)
        }
    }
}
