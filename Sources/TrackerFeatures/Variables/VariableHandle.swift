import Synchronization

/// What the copies of a ``Variable`` share: the variable's name and the value that was decoded last.
final class VariableHandle<Value: Decodable & Sendable>: Sendable {
    /// A value with the content that it was made of.
    private final class Reading: Sendable {
        let value: Value
        /// nil if no source has the variable.
        let content: VariableContent?
        /// Whether experiments override the variable, so that a context may give another value.
        let isOverridden: Bool
        /// The generation of the latest snapshot that is known to have this content.
        let generation: Atomic<UInt64>

        init(_ value: Value, of content: VariableContent?, isOverridden: Bool, _ generation: UInt64) {
            (self.value, self.content, self.isOverridden) = (value, content, isOverridden)
            self.generation = Atomic(generation)
        }

        /// Whether the same value would be made of another content. An encrypted variable is decrypted after each change.
        func isMade(of other: VariableContent?, isOverridden: Bool) -> Bool {
            guard isOverridden == self.isOverridden else { return false }
            guard let content, let other else { return content == nil && other == nil }
            return !content.isEncrypted && !other.isEncrypted && content.value.isExactly(other.value)
        }
    }

    let features: Features
    let key: VariableKey
    private let reading: RCUReference<Reading>
    private let `default`: Value

    init(_ features: Features, _ key: VariableKey, default: Value) {
        self.features = features
        self.key = key
        self.default = `default`
        reading = RCUReference(Reading(`default`, of: nil, isOverridden: false, 0), in: features.store.domain)
    }

    /// Reads the variable.
    /// - Parameter scope: The context to read for; nil takes the one that is bound to the task.
    /// - Returns: The value.
    func value(in scope: TrackingContext?) -> Value {
        let latest = features.store.generation
        // Without counting a reference, which threads would contend for.
        return reading.read(
            where: { reading in
                reading.generation.load(ordering: .acquiring) == latest
                    && (!reading.isOverridden || (scope == nil && !TrackingContext.isEvaluationBound))
            },
            { $0.value }, else: { readAgain(in: scope) })
    }

    @inline(never)
    private func readAgain(in scope: TrackingContext?) -> Value {
        let (candidate, isOverridden, generation) = features.store.read {
            ($0.candidate(key), $0.experiments.overrides(key), $0.generation)
        }
        if isOverridden, let scope = scope ?? TrackingContext.current, let context = scope.evaluation {
            // An exposure is about the scope's subject.
            return withTrackingContext(scope) {
                features.reader.value(key, in: features.store.layers, for: context, default: `default`)
            }
        }
        // Most changes are of other variables.
        return reading.read(
            where: { $0.isMade(of: candidate?.content, isOverridden: isOverridden) },
            { reading in
                reading.generation.store(generation, ordering: .releasing)
                return reading.value
            },
            else: { read(candidate, isOverridden: isOverridden, generation) })
    }

    private func read(_ candidate: Candidate?, isOverridden: Bool, _ generation: UInt64) -> Value {
        let value = candidate.map { features.reader.detail($0, key, default: `default`).value } ?? `default`
        // In a forked child nothing is released in the background; the value is read again each time.
        if features.store.forkGuard.isOwnProcess {
            reading.replaceAsReader(
                with: Reading(value, of: candidate?.content, isOverridden: isOverridden, generation))
        }
        return value
    }
}
