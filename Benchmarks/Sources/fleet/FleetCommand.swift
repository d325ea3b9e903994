import Foundation
import Workload

/// Follows a fleet that polls one origin, by the schedule that a setup polls by, through an outage and a deploy; and one that listens
/// to a push server beside it, through a hint and the death of that server.
@main
enum FleetCommand {
    private static let usage = """
        usage: fleet [push] [--processes N] [--seed N]

        Prints the requests per second at the origin, mean and most of each 30 s. Ends with 1 where, after an outage, a
        second has more than twice the requests of normal operation. With `push` it is the same for a hint, and for the
        death and the return of a push server.

          --processes N   how many poll, every 60 s; built in: 100,000
          --seed N        repeats an earlier run; built in: 1
        """
    private static let step = 30

    static func main() async {
        do {
            let options = try Options(CommandLine.arguments.dropFirst())
            let processes = try options.number("processes") ?? 100_000
            let seed = try options.number("seed") ?? 1
            print("\(processes) processes, each every 60 s; seed \(seed)")
            if options.words == ["push"] { return try await push(processes, seed) }
            guard options.words.isEmpty else { throw BenchmarkError(usage) }
            let outages = Scenario.outages.map { Simulation($0, processes: processes, seed: seed) }
            try report(outages)
            try deploy(Simulation(.herd, processes: processes, seed: seed))
            let crowded = outages.filter { !$0.crowdedAfterOutage.isEmpty }
            guard crowded.isEmpty else {
                throw BenchmarkError("too many requests after an outage: \(crowded.map(\.scenario.name))")
            }
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }

    private static func report(_ outages: [Simulation]) throws {
        let down = Scenario.outageSeconds
        print("\nThe origin fails from \(Int(down.lowerBound)) to \(Int(down.upperBound)) s.")
        print("Requests per second, mean/most:\n")
        print("| from s | " + outages.map(\.scenario.name).joined(separator: " | ") + " |")
        print("| --- |" + outages.map { _ in " --- |" }.joined())
        for start in stride(from: Int(down.lowerBound) - 2 * step, to: Int(down.upperBound) + 900, by: step) {
            let loads = outages.map { $0.load(start..<start + step) }
            print("| \(start) | " + loads.map { "\($0.mean)/\($0.most)" }.joined(separator: " | ") + " |")
        }
        print("")
        for outage in outages {
            let normal = outage.normal
            func most(_ seconds: Range<Int>) -> Double { Double(outage.load(seconds).most) / normal }
            let (start, end) = (Int(down.lowerBound), Int(down.upperBound))
            try Figure("most_before_outage", most(120..<start), "times normal", of: outage.scenario.name).print()
            try Figure("most_while_down", most(start..<end), "times normal", of: outage.scenario.name).print()
            try Figure("most_after_outage", most(end..<Scenario.seconds), "times normal", of: outage.scenario.name)
                .print()
        }
    }

    private static func push(_ processes: Int, _ seed: Int) async throws {
        let scenarios = PushScenario.all(processes: processes)
        let fleets = await withTaskGroup(of: (Int, PushSimulation).self) { group in
            for (number, scenario) in scenarios.enumerated() {
                group.addTask { (number, PushSimulation(scenario, processes: processes, seed: seed)) }
            }
            return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
        for fleet in fleets {
            let name = fleet.scenario.name
            try Figure("most_after_push", fleet.most, "times normal", of: name).print()
            guard !fleet.scenario.death.isEmpty else { continue }
            try Figure("most_connections_after_return", Double(fleet.mostConnections), "/s", of: name).print()
        }
        let crowded = fleets.filter { $0.scenario.isBarred && $0.most > 2 }
        guard crowded.isEmpty else {
            throw BenchmarkError("too many requests: \(crowded.map(\.scenario.name))")
        }
    }

    private static func deploy(_ herd: Simulation) throws {
        print("\nA deploy starts all within 5 s. The busiest second of each minute, times normal:\n")
        let most = (0..<20).map { minute in
            String(format: "%.1f", Double(herd.load(minute * 60..<(minute + 1) * 60).most) / herd.normal)
        }
        print(most.joined(separator: " ") + "\n")
        try Figure("herd_until_below_twice_normal", Double(herd.calmMinute ?? .max), "minutes", of: herd.scenario.name)
            .print()
    }
}
