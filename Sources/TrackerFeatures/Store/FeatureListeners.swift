/// The listeners for changes. Each is called for every change in the order of the snapshots, one at a time and outside all
/// locks.
///
/// The thread that makes a change calls the listeners as well; a second thread leaves its snapshot to the first.
/// While a document's update is on its way, changes are held: listeners run after the update that made a change.
package final class FeatureListeners: Sendable {
    /// What is published: what changed between two snapshots. The first time there is no old one.
    typealias Tell = @Sendable (_ old: FeatureLayers?, _ new: FeatureLayers) -> Void

    /// The most changes that wait for a listener that is slow or hangs, because each keeps the features of its time alive.
    static let maximumWaiting = 100

    private enum Step {
        case change(FeatureLayers)
        case listen(UInt64, Tell)

        var isChange: Bool {
            if case .change = self { true } else { false }
        }

        func isListening(_ id: UInt64) -> Bool {
            if case .listen(id, _) = self { true } else { false }
        }
    }

    private struct Listener {
        let id: UInt64
        let tell: Tell
        /// The generation of the first snapshot that it received, which may be ahead of the queue.
        let first: UInt64
    }

    private struct State {
        var steps: [Step] = []
        var isTelling = false
        /// How many updates are on their way.
        var holds = 0
        /// The snapshot that was published last.
        var told: FeatureLayers
        var listeners: [Listener] = []
        var nextID: UInt64 = 0
        /// What finishes the sequences, by the number of their listener.
        var ends: [UInt64: @Sendable () -> Void] = [:]
        var isFinished = false
    }

    private let state: Locked<State>

    init(_ layers: FeatureLayers) {
        state = Locked(State(told: layers))
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
        state.discard { state -> Step? in
            if state.steps.count >= Self.maximumWaiting, state.steps.last?.isChange == true {
                let replaced = state.steps.removeLast()
                state.steps.append(.change(layers))
                return replaced
            }
            // Without listeners, snapshots need not be kept.
            if state.steps.isEmpty && state.listeners.isEmpty && !state.isTelling {
                state.told = layers
            } else {
                state.steps.append(.change(layers))
            }
            return nil
        }
    }

    /// Adds a listener, and calls it with what there is.
    /// - Parameters:
    ///   - end: Finishes it when nothing will be published any more; nil if that is not needed.
    ///   - tell: The listener.
    /// - Returns: Its number, by which it is removed.
    func add(end: (@Sendable () -> Void)?, _ tell: @escaping Tell) -> UInt64 {
        let id = state.withLock { state in
            state.nextID += 1
            state.steps.append(.listen(state.nextID, tell))
            state.ends[state.nextID] = end
            return state.nextID
        }
        self.tell()
        if let end, state.withLock({ $0.isFinished }) {
            end()
            remove(id)
        }
        return id
    }

    func remove(_ id: UInt64) {
        state.discard { state in
            let listening = state.listeners.filter { $0.id == id }
            state.listeners.removeAll { $0.id == id }
            let waiting = state.steps.filter { $0.isListening(id) }
            state.steps.removeAll { $0.isListening(id) }
            return (listening, waiting, state.ends.removeValue(forKey: id))
        }
    }

    /// Finishes all sequences, also later ones once they have published what there is.
    func finish() {
        let ends = state.withLock { state in
            state.isFinished = true
            defer { state.ends = [:] }
            return state.ends
        }
        for end in ends.values { end() }
    }

    /// Publishes all that was noted, unless another thread does so.
    func tell() {
        let isFirst = state.withLock { state in
            defer { state.isTelling = true }
            return !state.isTelling
        }
        guard isFirst else { return }
        // Listeners belong to no request, whichever request makes the change.
        withTrackingContext(nil) {
            while let (calls, old, new) = next() {
                for call in calls { call(old, new) }
            }
        }
    }

    /// The next to be published; nil once all were published.
    private func next() -> (calls: [Tell], old: FeatureLayers?, new: FeatureLayers)? {
        state.withLock { state in
            guard !state.steps.isEmpty else {
                state.isTelling = false
                return nil
            }
            if state.holds > 0 { return Self.nextListener(&state) }
            switch state.steps.removeFirst() {
            case .change(let layers):
                defer { state.told = layers }
                let calls = state.listeners.filter { $0.first < layers.generation }.map(\.tell)
                return (calls, state.told, layers)
            case .listen(let id, let tell):
                state.listeners.append(Listener(id: id, tell: tell, first: state.told.generation))
                return ([tell], nil, state.told)
            }
        }
    }

    /// The next new listener, which receives what is in effect although changes before it are held; nil if there is none.
    private static func nextListener(
        _ state: inout State
    ) -> (calls: [Tell], old: FeatureLayers?, new: FeatureLayers)? {
        var latest = state.told
        for (place, step) in state.steps.enumerated() {
            switch step {
            case .change(let layers): latest = layers
            case .listen(let id, let tell):
                state.steps.remove(at: place)
                state.listeners.append(Listener(id: id, tell: tell, first: latest.generation))
                return ([tell], nil, latest)
            }
        }
        state.isTelling = false
        return nil
    }
}
