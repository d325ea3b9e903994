import TestSupport
import Testing
import TrackerSimulation

/// `.ci/run` lets `simulate` do the same for longer, and break every promise.
@Suite("A simulated service", .endsWhenItHangs)
struct SimulationTests {
    @Test("keeps its promises through kills, power failures, full disks and documents of all kinds")
    func keepsPromises() async throws {
        var run = SimulationRun(seed: 3)
        try await run.run(5_000)
        if let failure = run.failure {
            let report = try await failure.report()
            Issue.record("\(report.joined(separator: "\n"))")
        }
        let subjects: [Coverage.Subject] = [
            .delivered, .kills, .powerFailures, .left, .fullDisks, .lostByDamage, .takeovers, .applied, .rejected,
            .held,
            .canaries, .clockJumps, .cuts, .rests,
        ]
        for subject in subjects { #expect(run.coverage[subject] > 0, "\(subject.rawValue)") }
    }

    @Test("is the same for the same seed")
    func isDeterministic() async throws {
        let episode = Episode(3, seed: 7, count: 500)
        let first = try await episode.run(isTold: true)
        let second = try await episode.run(isTold: true)
        #expect(first.story == second.story)
        #expect(first.coverage == second.coverage)
        #expect(first.coverage[.delivered] > 0)
    }

    @Test(
        "notices a promise that is broken on purpose: of delivery, of a kill, of time, of documents, of push",
        arguments: [.forgetsRemoval, .forgetsLeft, .losesTimer, .appliesHalf, .ignoresHints] as [Sabotage])
    func findsBrokenPromise(sabotage: Sabotage) async throws {
        var run = SimulationRun(seed: 1)
        try await run.run(1_000, sabotage: sabotage)
        #expect(run.failure != nil)
    }

    @Test("reduces a failure to few steps that still fail")
    func reduces() async throws {
        var run = SimulationRun(seed: 1)
        try await run.run(1_000, sabotage: .forgetsRemoval)
        let failure = try #require(run.failure)
        var reduction = Reduction(of: failure.episode, after: failure.count, sabotage: .forgetsRemoval)
        try await reduction.run()
        #expect(reduction.steps.count < 20)
        let result = try await failure.episode.run(reduction.steps, sabotage: .forgetsRemoval)
        #expect(!result.violations.isEmpty)
    }
}
