/// How far a document has come among the processes of a fleet, as its author wants it.
///
/// ```json
/// "rollout": { "percent": 10, "bakeSeconds": 600, "maxFailureRate": 0.2 }
/// ```
public struct Rollout: Sendable, Hashable {
    /// The part of the fleet that the document is for, 0…100 percent; it has no default.
    public let percent: Double

    /// What processes are drawn by; nil by default.
    public let seed: String?

    /// How long the document is observed before it counts as good, 0 to 604,800 s; 600 s by default.
    public let bakeTime: Duration

    /// The share of failures above which the document counts as bad, 0…1; 0.2 by default.
    public let maxFailureRate: Double

    /// Creates a rollout.
    /// - Parameters:
    ///   - percent: The part of the fleet that the document is for, 0…100 percent.
    ///   - seed: What processes are drawn by.
    ///   - bakeTime: How long the document is observed before it counts as good.
    ///   - maxFailureRate: The share of failures above which the document counts as bad, 0…1.
    public init(
        percent: Double, seed: String? = nil, bakeTime: Duration = .seconds(600), maxFailureRate: Double = 0.2
    ) {
        self.percent = percent
        self.seed = seed
        self.bakeTime = bakeTime
        self.maxFailureRate = maxFailureRate
    }
}
