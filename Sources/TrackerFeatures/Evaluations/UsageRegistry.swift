import FoundationEssentials
import Synchronization

/// What is known of the evaluations of all features, whichever documents come and go.
final class UsageRegistry: Sendable {
    /// The most features that are remembered although no source has them any more.
    static let maximumGone = 10_000

    private struct State {
        var counters: [ExactText: UsageCounters] = [:]
        var known: [ExactText: [EvaluationReason: Int]] = [:]
        var seen: [ExactText: Date] = [:]
        /// The features whose plain values were read from tables that are not in use any more, since the last call of
        /// ``UsageRegistry/update(marked:now:)``.
        var marked: Set<ExactText> = []
    }

    private struct Hooks {
        var all: [UInt64: Hook] = [:]
        var lastID: UInt64 = 0
        var isFinished = false
    }

    /// A hook with its share of the evaluations.
    final class Hook: Sendable {
        private let interval: Int
        private let count = Atomic<Int>(0)
        /// Called when no more evaluations come.
        fileprivate let finish: @Sendable () -> Void
        private let send: @Sendable (FeatureEvaluation) -> Void

        init(
            interval: Int, finish: @escaping @Sendable () -> Void,
            _ send: @escaping @Sendable (FeatureEvaluation) -> Void
        ) {
            self.interval = max(1, interval)
            (self.finish, self.send) = (finish, send)
        }

        func offer(_ evaluation: () -> FeatureEvaluation) {
            let number = count.wrappingAdd(1, ordering: .relaxed).oldValue
            if number % interval == 0 { send(evaluation()) }
        }
    }

    private let state = Locked(State())
    private let hooks = Locked(Hooks())
    private let hasHooks = Atomic(false)

    /// Whether every evaluation is offered to hooks.
    @inline(__always)
    var isObserved: Bool { hasHooks.load(ordering: .relaxed) }

    /// The counters of a feature, the same for all documents.
    func counters(of feature: ExactText) -> UsageCounters {
        state.withLock { state in
            if let known = state.counters[feature] { return known }
            let counters = UsageCounters()
            state.counters[feature] = counters
            return counters
        }
    }

    /// Offers an evaluation to all hooks.
    func offer(_ evaluation: () -> FeatureEvaluation) {
        for hook in hooks.withLock({ Array($0.all.values) }) { hook.offer(evaluation) }
    }

    func add(_ hook: Hook) -> UInt64 {
        let (id, isFinished) = hooks.withLock { hooks -> (UInt64, Bool) in
            hooks.lastID += 1
            if !hooks.isFinished {
                hooks.all[hooks.lastID] = hook
                hasHooks.store(true, ordering: .sequentiallyConsistent)
            }
            return (hooks.lastID, hooks.isFinished)
        }
        if isFinished { hook.finish() }
        return id
    }

    func remove(_ id: UInt64) {
        hooks.discard { hooks in
            let old = hooks.all.removeValue(forKey: id)
            hasHooks.store(!hooks.all.isEmpty, ordering: .sequentiallyConsistent)
            return old
        }
    }

    /// Finishes all hooks, also those that are still to come.
    /// - Returns: Whether there were any.
    func finish() -> Bool {
        let hooks = hooks.withLock { hooks -> [UInt64: Hook] in
            hooks.isFinished = true
            hasHooks.store(false, ordering: .sequentiallyConsistent)
            defer { hooks.all = [:] }
            return hooks.all
        }
        for hook in hooks.values { hook.finish() }
        return !hooks.isEmpty
    }

    /// Keeps the features whose plain values were read from tables that are not in use any more.
    func note(_ marked: [String]) {
        if marked.isEmpty { return }
        state.withLock { $0.marked.formUnion(marked.map(ExactText.init)) }
    }

    /// Forgets the features that no source has, the longest unread first, if there are too many: documents may make up names.
    /// - Parameter isKnown: Whether a source has a feature now.
    func forgetGone(unless isKnown: (ExactText) -> Bool) {
        state.withLock { state in
            let known = state.counters.count + state.seen.count + state.marked.count
            guard known > Self.maximumGone else { return }
            let names = Set(state.counters.keys).union(state.seen.keys).union(state.marked)
            let gone = names.filter { !isKnown($0) }
            guard gone.count > Self.maximumGone else { return }
            let order = gone.sorted { state.seen[$0] ?? .distantPast < state.seen[$1] ?? .distantPast }
            for name in order.prefix(gone.count - Self.maximumGone) {
                state.counters[name] = nil
                state.known[name] = nil
                state.seen[name] = nil
                state.marked.remove(name)
            }
        }
    }

    /// Notes what was evaluated since the last call.
    /// - Parameters:
    ///   - marked: The features whose plain values were read.
    ///   - now: The time.
    /// - Returns: The usage of all features that were ever evaluated, by their names.
    func update(marked: [String], now: Date) -> [ExactText: FeatureUsage] {
        state.withLock { state in
            for feature in marked { state.seen[exactly: feature] = now }
            for feature in state.marked { state.seen[feature] = now }
            state.marked = []
            for (feature, counters) in state.counters {
                let evaluations = counters.evaluations
                guard state.known[feature] != evaluations else { continue }
                if !evaluations.isEmpty { state.seen[feature] = now }
                state.known[feature] = evaluations
            }
            var usages: [ExactText: FeatureUsage] = [:]
            for (feature, date) in state.seen {
                usages[feature] = FeatureUsage(
                    feature: feature.text, evaluations: state.known[feature] ?? [:], lastEvaluation: date)
            }
            return usages
        }
    }
}
