package import FoundationEssentials

/// The evaluations of all features, across all documents.
final class UsageRegistry: Sendable {
    /// The maximum number of features to remember that no source has any more.
    static let maximumGone = 10_000

    private struct Entry {
        let counters = UsageCounters()
        var known: [EvaluationReason: Int] = [:]
        var lastEvaluation: Date?
    }

    private let entries = Locked<[ExactText: Entry]>([:])

    /// The counters of a feature, the same for all documents.
    func counters(of feature: ExactText) -> UsageCounters {
        entries.withLock { entries in
            let entry = entries[feature] ?? Entry()
            entries[feature] = entry
            return entry.counters
        }
    }

    /// Removes the features that no source has, the least recently evaluated first, if there are too many: documents
    /// may make up names.
    /// - Parameter isKnown: Whether a source has a feature.
    func forgetGone(unless isKnown: (ExactText) -> Bool) {
        entries.withLock { entries in
            guard entries.count > Self.maximumGone else { return }
            let gone = entries.filter { !isKnown($0.key) }
            guard gone.count > Self.maximumGone else { return }
            let order = gone.sorted {
                $0.value.lastEvaluation ?? .distantPast < $1.value.lastEvaluation ?? .distantPast
            }
            for (name, _) in order.prefix(gone.count - Self.maximumGone) { entries[name] = nil }
        }
    }

    /// Notes the evaluations since the last call.
    /// - Parameter now: The time.
    /// - Returns: The usage of all features that were ever evaluated, by name.
    func update(at now: Date) -> [ExactText: FeatureUsage] {
        entries.withLock { entries in
            for name in entries.keys {
                guard let entry = entries[name] else { continue }
                let evaluations = entry.counters.evaluations
                guard entry.counters.takeRead() || evaluations != entry.known else { continue }
                entries[name]?.known = evaluations
                entries[name]?.lastEvaluation = now
            }
            return entries.reduce(into: [:]) { usages, entry in
                guard let time = entry.value.lastEvaluation else { return }
                usages[entry.key] = FeatureUsage(
                    feature: entry.key.text, evaluations: entry.value.known, lastEvaluation: time)
            }
        }
    }
}

/// The number and the time of a feature's evaluations in this process.
package struct FeatureUsage: Sendable, Hashable {
    /// The feature's name.
    package let feature: String

    /// The evaluations by reason. Reads of plain values (``EvaluationReason/static``) are not counted, because counting
    /// would cost more than the read; they only update ``lastEvaluation``. No evaluation is counted as
    /// ``EvaluationReason/stale``; the reason of the decision is counted instead.
    package let evaluations: [EvaluationReason: Int]

    /// The time of the last known evaluation; nil if the feature was not evaluated since the process started.
    ///
    /// It is the time of the first call of ``Features/usage`` after the evaluation, so it is late by at most the time
    /// between two calls.
    package let lastEvaluation: Date?

    package init(feature: String, evaluations: [EvaluationReason: Int] = [:], lastEvaluation: Date? = nil) {
        self.feature = feature
        self.evaluations = evaluations
        self.lastEvaluation = lastEvaluation
    }
}
