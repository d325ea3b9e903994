import FoundationEssentials
import Synchronization

/// What is known of the evaluations of all features, whichever documents come and go.
final class UsageRegistry: Sendable {
    private struct State {
        var counters: [ExactText: UsageCounters] = [:]
        var known: [ExactText: [EvaluationReason: Int]] = [:]
        var seen: [ExactText: Date] = [:]
    }

    /// A hook with its share of the evaluations.
    final class Hook: Sendable {
        private let interval: Int
        private let count = Atomic<Int>(0)
        private let send: @Sendable (FeatureEvaluation) -> Void

        init(interval: Int, _ send: @escaping @Sendable (FeatureEvaluation) -> Void) {
            self.interval = max(1, interval)
            self.send = send
        }

        func offer(_ evaluation: () -> FeatureEvaluation) {
            let number = count.wrappingAdd(1, ordering: .relaxed).oldValue
            if number % interval == 0 { send(evaluation()) }
        }
    }

    private let state = Locked(State())
    private let hooks = Locked<[UInt64: Hook]>([:])
    private let nextHook = Atomic<UInt64>(0)

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
        for hook in hooks.withLock({ Array($0.values) }) { hook.offer(evaluation) }
    }

    func add(_ hook: Hook) -> UInt64 {
        let id = nextHook.wrappingAdd(1, ordering: .relaxed).newValue
        hooks.withLock { hooks in
            hooks[id] = hook
            hasHooks.store(true, ordering: .sequentiallyConsistent)
        }
        return id
    }

    func remove(_ id: UInt64) {
        hooks.discard { hooks in
            let old = hooks.removeValue(forKey: id)
            hasHooks.store(!hooks.isEmpty, ordering: .sequentiallyConsistent)
            return old
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
