import TrackerPlatform
import TrackerSimulation

/// `simulate`: drives simulated services by random steps and checks the promises after each one.
@main
struct Simulate {
    private static let help = """
        Usage: simulate [--steps N] [--seed S] [--from-step N] [--threads N] [--sabotage NAME]
               simulate --sabotages [--seed S]

        Drives a whole service from a seed: clock, network, disk, documents, kills and restarts. After each step it checks
        that no event is lost or sent twice, that a document is applied whole, that versions do not go down, that counters
        add up, and that nothing waits for ever. A failure is reduced to the shortest list of steps that leads to it.

          --steps N        The number of steps of all threads together; 100,000 by default.
          --seed S         The seed; 1 by default. Each thread has the next one.
          --from-step N    The step to begin with, to repeat a failure; its episode is executed from its beginning.
          --threads N      The number of seeds at a time; 1 by default.
          --sabotage NAME  Breaks a promise on purpose: \(Sabotage.allCases.map(\.rawValue).joined(separator: ", ")).
          --sabotages      Breaks one promise after the other, and prints the step at which the checks notice it.

        It ends with status 1 if a promise is broken, or if one that is broken on purpose is not noticed in its number of
        steps, and with 2 if an option is wrong. A run of \(stepsForAll) steps or more also ends with 1 if it has not come to all
        that the promises are about.
        """

    private static let stepsForAll = 500_000

    private struct Options {
        var steps = 100_000
        var seed: UInt64 = 1
        var first = 1
        var threads = 1
        var sabotage: Sabotage?
        var breaksAll = false
    }

    private struct Misuse: Error {
        let sentence: String
    }

    static func main() async throws {
        let options: Options
        do {
            guard let read = try Self.options(Array(CommandLine.arguments.dropFirst())) else { return print(help) }
            options = read
        } catch {
            print("simulate: \(error.sentence)")
            exit(2)
        }
        if options.breaksAll { return try await breakAll(seed: options.seed) }
        let start = ContinuousClock.now
        let runs = try await withThrowingTaskGroup(of: SimulationRun.self) { group in
            for thread in 0..<options.threads {
                group.addTask {
                    var run = SimulationRun(seed: options.seed &+ UInt64(thread))
                    try await run.run(options.steps / options.threads, from: options.first, sabotage: options.sabotage)
                    return run
                }
            }
            var runs: [SimulationRun] = []
            for try await run in group { runs.append(run) }
            return runs.sorted { $0.seed < $1.seed }
        }
        try await report(runs, options, after: ContinuousClock.now - start)
    }

    private static func report(_ runs: [SimulationRun], _ options: Options, after time: Duration) async throws {
        let steps = runs.reduce(0) { $0 + $1.steps }
        let coverage = runs.reduce(into: Coverage()) { $0 += $1.coverage }
        let seconds = time / .seconds(1)
        print("\(steps) steps in \((seconds * 10).rounded() / 10) s, \(Int(Double(steps) / seconds)) steps/s")
        for subject in Coverage.Subject.allCases { print("  \(subject.rawValue): \(coverage[subject])") }
        let failures = runs.compactMap(\.failure)
        for failure in failures {
            for line in try await failure.report(sabotage: options.sabotage) { print(line) }
        }
        if !failures.isEmpty { exit(1) }
        let missed = Coverage.Subject.allCases.filter { coverage[$0] == 0 }
        if steps >= stepsForAll, !missed.isEmpty {
            print("not reached: \(missed.map(\.rawValue).joined(separator: ", "))")
            exit(1)
        }
        print("all promises were kept")
    }

    private static func breakAll(seed: UInt64) async throws {
        var missed = 0
        for sabotage in Sabotage.allCases {
            var run = SimulationRun(seed: seed)
            try await run.run(sabotage.steps, sabotage: sabotage)
            if run.failure == nil { missed += 1 }
            let found = run.failure.map { "noticed at step \($0.step)" } ?? "not noticed"
            print("\(sabotage.rawValue): \(found) of \(sabotage.steps)")
        }
        if missed > 0 { exit(1) }
    }

    private static func options(_ arguments: [String]) throws(Misuse) -> Options? {
        var options = Options()
        var rest = arguments[...]
        while let name = rest.popFirst() {
            switch name {
            case "--help", "-h": return nil
            case "--steps": options.steps = try number(rest.popFirst(), of: name)
            case "--seed": options.seed = UInt64(try number(rest.popFirst(), of: name))
            case "--from-step": options.first = try number(rest.popFirst(), of: name)
            case "--threads": options.threads = try number(rest.popFirst(), of: name)
            case "--sabotage":
                guard let sabotage = rest.popFirst().flatMap({ Sabotage(rawValue: $0) }) else {
                    throw Misuse(sentence: "'\(name)' needs the name of a promise; try --help")
                }
                options.sabotage = sabotage
            case "--sabotages": options.breaksAll = true
            default: throw Misuse(sentence: "unknown option '\(name)'; try --help")
            }
        }
        return options
    }

    private static func number(_ text: String?, of name: String) throws(Misuse) -> Int {
        guard let number = text.flatMap({ Int($0) }), number > 0 else {
            throw Misuse(sentence: "'\(name)' needs a number above 0")
        }
        return number
    }
}
