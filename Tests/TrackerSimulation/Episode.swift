/// A part of a run with a service, a clock and a directory of its own, so that a failure has few steps before it.
package struct Episode: Sendable {
    /// The steps of an episode.
    package static let length = 5_000

    /// The number among the episodes of the run.
    package let number: Int
    package let seed: UInt64
    package let steps: [Step]

    /// How an episode ended.
    package struct Result: Sendable {
        package var coverage = Coverage()
        /// The steps that were executed.
        package var count = 0
        /// The promises that were broken, in words; empty if all were kept.
        package var violations: [String] = []
        /// What happened, in words, if it was asked for.
        package var story: [String] = []
    }

    /// An episode of a run.
    /// - Parameters:
    ///   - number: The number among the episodes.
    ///   - seed: The seed of the run.
    ///   - count: The number of steps.
    package init(_ number: Int, seed: UInt64, count: Int = length) {
        var state = seed &+ UInt64(number) &* 0xd1b5_4a32_d192_ed03
        self.number = number
        self.seed = Dice.next(&state)
        steps = Step.list(seed: self.seed, count: count)
    }

    /// Executes steps until a promise is broken, and lets the service come to rest.
    /// - Parameters:
    ///   - steps: The steps; nil for all of the episode.
    ///   - sabotage: The promise to break; nil for none.
    ///   - isTold: Whether to write down what happens.
    /// - Returns: The result.
    /// - Throws: If there is no directory for the service.
    package func run(_ steps: [Step]? = nil, sabotage: Sabotage? = nil, isTold: Bool = false) async throws -> Result {
        let simulation = try Simulation(seed: seed, sabotage: sabotage, isTold: isTold)
        var result = Result()
        for step in steps ?? self.steps {
            await simulation.run(step)
            result.count += 1
            if !simulation.violations.isEmpty { break }
        }
        if simulation.violations.isEmpty { await simulation.rest() }
        (result.coverage, result.violations) = (simulation.coverage, simulation.violations)
        result.story = simulation.story
        return result
    }
}
