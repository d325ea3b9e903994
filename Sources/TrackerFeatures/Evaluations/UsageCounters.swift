import Glibc
import Synchronization

/// Counts of one feature's evaluations by reason, in parts that threads share seldom.
final class UsageCounters: Sendable {
    private static let shardBits = 3
    private static let shardCount = 1 << shardBits
    // Two cache lines of 64 bytes, because processors fetch them in pairs.
    private static let stride = 16

    nonisolated(unsafe) private let counts: UnsafeMutablePointer<Atomic<Int>>

    init() {
        counts = .allocate(capacity: Self.shardCount * Self.stride)
        for index in 0..<Self.shardCount * Self.stride { (counts + index).initialize(to: Atomic(0)) }
    }

    deinit {
        counts.deinitialize(count: Self.shardCount * Self.stride).deallocate()
    }

    /// Counts an evaluation.
    @inline(__always)
    func count(_ reason: EvaluationReason) {
        let thread = UInt64(pthread_self()) &* 0x9E37_79B9_7F4A_7C15
        let shard = Int(truncatingIfNeeded: thread &>> UInt64(64 - Self.shardBits)) &* Self.stride
        counts[shard &+ reason.index].wrappingAdd(1, ordering: .relaxed)
    }

    /// The counts so far, without those that are 0.
    var evaluations: [EvaluationReason: Int] {
        var evaluations: [EvaluationReason: Int] = [:]
        for reason in EvaluationReason.allCases {
            let count = (0..<Self.shardCount).reduce(0) {
                $0 + counts[$1 * Self.stride + reason.index].load(ordering: .relaxed)
            }
            if count > 0 { evaluations[reason] = count }
        }
        return evaluations
    }
}

extension EvaluationReason {
    @inline(__always)
    fileprivate var index: Int {
        switch self {
        case .static: 0
        case .default: 1
        case .targetingMatch: 2
        case .split: 3
        case .cached: 4
        case .disabled: 5
        case .unknown: 6
        case .error: 7
        case .stale: 8
        }
    }
}
