/// Those who want to know of changes; tells each of every change in the order of the snapshots, one at a time and outside all
/// locks.
///
/// Whoever changes something tells the others too; meanwhile a second one leaves its snapshot for the first to tell of.
final class FeatureListeners: Sendable {
    /// What is told: what changed between two snapshots. The first time there is no old one.
    typealias Tell = @Sendable (_ old: FeatureLayers?, _ new: FeatureLayers) -> Void

    private enum Step {
        case change(FeatureLayers)
        case listen(UInt64, Tell)
    }

    private struct State {
        var steps: [Step] = []
        var isTelling = false
        /// The snapshot that was told of last.
        var told: FeatureLayers
        var listeners: [(id: UInt64, tell: Tell)] = []
        var nextID: UInt64 = 0
    }

    private let state: Locked<State>

    init(_ layers: FeatureLayers) {
        state = Locked(State(told: layers))
    }

    /// Notes a snapshot of which ``tell()`` will tell.
    func note(_ layers: FeatureLayers) {
        state.withLock { state in
            // With nobody there to be told, snapshots need not be kept.
            if state.steps.isEmpty && state.listeners.isEmpty && !state.isTelling {
                state.told = layers
            } else {
                state.steps.append(.change(layers))
            }
        }
    }

    /// Adds a listener, and tells it of what there is.
    /// - Returns: Its number, by which it is removed.
    func add(_ tell: @escaping Tell) -> UInt64 {
        let id = state.withLock { state in
            state.nextID += 1
            state.steps.append(.listen(state.nextID, tell))
            return state.nextID
        }
        self.tell()
        return id
    }

    func remove(_ id: UInt64) {
        let removed = state.withLock { state in
            state.steps.removeAll { if case .listen(id, _) = $0 { true } else { false } }
            let removed = state.listeners.filter { $0.id == id }
            state.listeners.removeAll { $0.id == id }
            return removed
        }
        // The end of a closure ends what it holds.
        withExtendedLifetime(removed) {}
    }

    /// Tells of all that was noted, unless another thread is about it.
    func tell() {
        let isFirst = state.withLock { state in
            defer { state.isTelling = true }
            return !state.isTelling
        }
        guard isFirst else { return }
        while let (calls, old, new) = next() {
            for call in calls { call(old, new) }
        }
    }

    /// The next to be told of; nil where all was, and nobody tells any more.
    private func next() -> (calls: [Tell], old: FeatureLayers?, new: FeatureLayers)? {
        state.withLock { state in
            guard !state.steps.isEmpty else {
                state.isTelling = false
                return nil
            }
            switch state.steps.removeFirst() {
            case .change(let layers):
                defer { state.told = layers }
                return (state.listeners.map(\.tell), state.told, layers)
            case .listen(let id, let tell):
                state.listeners.append((id, tell))
                return ([tell], nil, state.told)
            }
        }
    }
}
