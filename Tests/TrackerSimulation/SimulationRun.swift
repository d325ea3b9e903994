/// A run of many episodes from one seed, on one thread.
package struct SimulationRun: Sendable {
    /// A promise that was broken.
    package struct Failure: Sendable {
        package let seed: UInt64
        package let episode: Episode
        /// The number of the step in the run, from 1 on; steps beyond the last one are those that lead to rest.
        package let step: Int
        /// The number of the step in the episode.
        package let count: Int
        package let violations: [String]

        /// The failure as sentences, with the shortest list of steps that leads to one.
        /// - Throws: If there is no directory for the service.
        package func report(sabotage: Sabotage? = nil) async throws -> [String] {
            var reduction = Reduction(of: episode, after: count, sabotage: sabotage)
            try await reduction.run()
            let result = try await episode.run(reduction.steps, sabotage: sabotage, isTold: true)
            return ["seed \(seed), step \(step) (episode \(episode.number)):"] + violations.prefix(5)
                + ["reduced to \(reduction.steps.count) steps: \(reduction.steps.map(\.kind.rawValue))"]
                + result.story.suffix(200) + result.violations.prefix(5)
        }
    }

    package let seed: UInt64
    package private(set) var coverage = Coverage()
    package private(set) var steps = 0
    package private(set) var failure: Failure?

    /// Begins a run.
    package init(seed: UInt64) {
        self.seed = seed
    }

    /// Executes episodes until the steps are done or a promise is broken.
    /// - Parameters:
    ///   - count: The number of steps.
    ///   - first: The step to begin with, from 1 on; its whole episode is executed.
    ///   - sabotage: The promise to break; nil for none.
    /// - Throws: If there is no directory for the service.
    package mutating func run(_ count: Int, from first: Int = 1, sabotage: Sabotage? = nil) async throws {
        var number = max(first - 1, 0) / Episode.length
        while steps < count, failure == nil {
            let episode = Episode(number, seed: seed, count: min(Episode.length, count - steps))
            let result = try await episode.run(sabotage: sabotage)
            coverage += result.coverage
            steps += result.count
            if !result.violations.isEmpty {
                failure = Failure(
                    seed: seed, episode: episode, step: number * Episode.length + result.count, count: result.count,
                    violations: result.violations)
            }
            number += 1
            // An episode never waits, and would keep what its trackers' pipelines left to other tasks from ending.
            await Task.yield()
        }
    }
}
