import Testing
import TrackerSimulation

@Suite("A simulated service")
struct SimulationTests {
    @Test("keeps its promises for 100,000 steps, and comes to all that they are about")
    func keepsPromises() async throws {
        var run = SimulationRun(seed: 2)
        try await run.run(100_000)
        if let failure = run.failure {
            let report = try await failure.report()
            Issue.record("\(report.joined(separator: "\n"))")
        }
        for subject in Coverage.Subject.allCases { #expect(run.coverage[subject] > 0, "\(subject.rawValue)") }
    }

    @Test("is the same for the same seed")
    func isDeterministic() async throws {
        let episode = Episode(3, seed: 7)
        let first = try await episode.run(isTold: true)
        let second = try await episode.run(isTold: true)
        #expect(first.story == second.story)
        #expect(first.coverage == second.coverage)
        #expect(first.coverage[.delivered] > 0)
    }

    @Test("notices each promise that is broken on purpose", arguments: Sabotage.allCases)
    func findsBrokenPromise(sabotage: Sabotage) async throws {
        var run = SimulationRun(seed: 1)
        try await run.run(100_000, sabotage: sabotage)
        #expect(run.failure != nil)
    }

    @Test("reduces a failure to few steps that still fail")
    func reduces() async throws {
        var run = SimulationRun(seed: 1)
        try await run.run(20_000, sabotage: .forgetsRemoval)
        let failure = try #require(run.failure)
        var reduction = Reduction(of: failure.episode, after: failure.count, sabotage: .forgetsRemoval)
        try await reduction.run()
        #expect(reduction.steps.count < 20)
        let result = try await failure.episode.run(reduction.steps, sabotage: .forgetsRemoval)
        #expect(!result.violations.isEmpty)
    }
}
