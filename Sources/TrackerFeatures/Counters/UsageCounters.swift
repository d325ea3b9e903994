import Synchronization

/// Counts one feature's evaluations by reason, across all documents.
final class UsageCounters: Sendable {
    // Most reads are of plain values: each checks the flag, and only one writes it.
    private let isRead = Atomic(false)
    private let defaults = Atomic(0)
    private let matches = Atomic(0)
    private let splits = Atomic(0)
    private let cached = Atomic(0)
    private let disabled = Atomic(0)
    private let errors = Atomic(0)

    /// Notes an evaluation. Reads of plain values are not counted.
    @inline(__always)
    func count(_ reason: EvaluationReason) {
        switch reason {
        case .static: if !isRead.load(ordering: .relaxed) { isRead.store(true, ordering: .relaxed) }
        case .targetingMatch: matches.wrappingAdd(1, ordering: .relaxed)
        case .split: splits.wrappingAdd(1, ordering: .relaxed)
        case .cached: cached.wrappingAdd(1, ordering: .relaxed)
        case .disabled: disabled.wrappingAdd(1, ordering: .relaxed)
        case .error: errors.wrappingAdd(1, ordering: .relaxed)
        case .default, .stale, .unknown: defaults.wrappingAdd(1, ordering: .relaxed)
        }
    }

    /// Whether a plain value was read since the last call.
    func takeRead() -> Bool { isRead.exchange(false, ordering: .relaxed) }

    /// The counts so far, without zeros.
    var evaluations: [EvaluationReason: Int] {
        let counts: [EvaluationReason: Int] = [
            .default: defaults.load(ordering: .relaxed), .targetingMatch: matches.load(ordering: .relaxed),
            .split: splits.load(ordering: .relaxed), .cached: cached.load(ordering: .relaxed),
            .disabled: disabled.load(ordering: .relaxed), .error: errors.load(ordering: .relaxed),
        ]
        return counts.filter { $0.value > 0 }
    }
}
