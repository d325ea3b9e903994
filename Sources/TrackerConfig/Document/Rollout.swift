/// The share of a fleet that applies a document, and how instances observe it.
///
/// ```json
/// "rollout": { "percent": 10, "bakeSeconds": 600, "maxFailureRate": 0.2 }
/// ```
package struct Rollout: Sendable, Hashable {
    /// The percentage of the instances that apply the document, 0 … 100; it has no default.
    package let percent: Double

    /// The text that is hashed with the instance's id; nil, the default, is the empty text. With one seed a higher
    /// ``percent`` contains the instances of a lower one; an author who wants other instances to go first sets another seed.
    package let seed: String?

    /// The bake time, 0 to 604,800 s; 600 s by default.
    package let bakeTime: Duration

    /// The rise in the share of failed requests above which the canary is reverted, 0…1; 0.2 by default.
    package let maxFailureRate: Double

    /// Creates a rollout.
    /// - Parameters:
    ///   - percent: The percentage of the instances that apply the document, 0 … 100.
    ///   - seed: The text that is hashed with the instance's id.
    ///   - bakeTime: The bake time.
    ///   - maxFailureRate: The rise in the share of failed requests above which the canary is reverted, 0…1.
    package init(
        percent: Double, seed: String? = nil, bakeTime: Duration = .seconds(600), maxFailureRate: Double = 0.2
    ) {
        self.percent = percent
        self.seed = seed
        self.bakeTime = bakeTime
        self.maxFailureRate = maxFailureRate
    }
}
