/// The listeners for changes. Each is called for every change in the order of the snapshots, one at a time and outside all
/// locks.
///
/// The thread that makes a change calls the listeners as well; a second thread leaves its snapshot to the first.
/// While a document's update is on its way, changes are held: listeners run after the update that made a change.
package final class FeatureListeners: Sendable {
    /// Receives two snapshots, of which the first time there is no old one.
    typealias Receive = @Sendable (_ old: FeatureLayers?, _ new: FeatureLayers) -> Void

    /// The most changes that wait for a listener that is slow or hangs, because each keeps the features of its time alive.
    private static let maxWaiting = 100

    private struct Listener {
        let subscription: Subscription
        let receive: Receive
        let end: (@Sendable () -> Void)?
        /// The snapshot that it received last.
        var seen: FeatureLayers?
    }

    private struct State {
        /// The snapshot that was noted last.
        var latest: FeatureLayers
        /// The snapshots that were not published yet.
        var waiting: [FeatureLayers] = []
        var listeners: [Listener] = []
        var isPublishing = false
        /// The number of updates that are on their way.
        var holds = 0
        var isFinished = false
    }

    private let state: Locked<State>

    init(_ layers: FeatureLayers) {
        state = Locked(State(latest: layers))
    }

    /// Holds all changes from now on, until ``release(tells:)``.
    func hold() {
        state.withLock { $0.holds += 1 }
    }

    /// Completes what ``hold()`` began.
    /// - Parameter tells: Whether to publish the changes that were held; if false, the next ``tell()`` does.
    package func release(tells: Bool = true) {
        state.withLock { $0.holds -= 1 }
        if tells { tell() }
    }

    /// Notes a snapshot that ``tell()`` will publish. If too many wait, it takes the place of the last one.
    func note(_ layers: FeatureLayers) {
        // What is replaced is released outside the lock, because it may be much.
        state.discard { state in
            let isFull = state.waiting.count >= Self.maxWaiting
            let old = (state.latest, isFull ? state.waiting.removeLast() : nil)
            state.latest = layers
            if !state.listeners.isEmpty { state.waiting.append(layers) }
            return old
        }
    }

    /// Adds a listener, and calls it with what there is, even while changes are held.
    /// - Parameters:
    ///   - subscription: By which the listener is removed.
    ///   - end: Finishes it when nothing will be published any more; nil if that is not needed.
    ///   - receive: The listener.
    func add(_ subscription: Subscription, end: (@Sendable () -> Void)?, _ receive: @escaping Receive) {
        let isFinished = state.withLock { state in
            state.listeners.append(Listener(subscription: subscription, receive: receive, end: end))
            return state.isFinished
        }
        tell()
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

    /// Finishes all sequences, also later ones once they have published what there is.
    func finish() {
        let ends = state.withLock { state in
            state.isFinished = true
            return state.listeners.compactMap(\.end)
        }
        for end in ends { end() }
    }

    /// Publishes all that was noted, unless another thread does so.
    func tell() {
        let isFirst = state.withLock { state in
            defer { state.isPublishing = true }
            return !state.isPublishing
        }
        guard isFirst else { return }
        // Listeners belong to no request, whichever request makes the change.
        withTrackingContext(nil) {
            while let (listeners, layers) = next() {
                for listener in listeners where listener.subscription.isActive {
                    listener.receive(listener.seen, layers)
                }
            }
        }
    }

    /// The next snapshot to be published, with those that receive it; nil once there is none.
    private func next() -> (listeners: [Listener], layers: FeatureLayers)? {
        state.withLock { state in
            // A new listener receives what is in effect, also if changes before it are held.
            let isFirst = state.listeners.contains { $0.seen == nil }
            guard isFirst || state.holds == 0 && !state.waiting.isEmpty else {
                state.isPublishing = false
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
