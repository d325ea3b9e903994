import Foundation
import Workload

/// Publishes documents to many setups that listen, and says how long each took; and what it costs to listen.
@main
enum PushCommand {
    private static let usage = """
        usage: push [latency|idle] [file|http] [--setups N] [--processes N] [--publications N] [--seconds N]

        latency: from the publication of a document until a setup has applied it. Ends with 1 where one is missed.
        idle: the memory, threads, wake-ups and CPU time of setups that listen beyond those of setups that do not. Ends with 1
        where a stream has more than 30 KB or a thread of its own, or wakes the process without a signal or heartbeat.
        Without these words it does both, for both sources. http needs nginx and nchan (Debian's libnginx-mod-nchan).

          --setups N         how many listen; built in: 500
          --processes N      in how many processes; built in: 5, and 1 for idle
          --publications N   built in: 20
          --seconds N        how long idle ones are watched; built in: 20
        """

    static func main() async {
        do {
            let options = try Options(CommandLine.arguments.dropFirst())
            if options.words == ["subscriber"] { return try await Subscriber(options).run() }
            guard Set(options.words).isSubset(of: ["latency", "idle", "file", "http"]) else {
                throw BenchmarkError(usage)
            }
            func wants(_ word: String, _ others: [String]) -> Bool {
                options.words.contains(word) || options.words.allSatisfy { !others.contains($0) }
            }
            let setups = try options.number("setups") ?? 500
            for kind in Channel.Kind.allCases where wants(kind.rawValue, ["file", "http"]) {
                if wants("latency", ["latency", "idle"]) {
                    try latency(
                        kind, setups, processes: options.number("processes") ?? 5,
                        publications: options.number("publications") ?? 20)
                }
                if wants("idle", ["latency", "idle"]) {
                    try IdleCost(kind, setups: setups, seconds: options.number("seconds") ?? 20).measure()
                }
            }
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }

    private static func latency(_ kind: Channel.Kind, _ setups: Int, processes: Int, publications: Int) throws {
        let channel = try Channel(kind)
        try channel.publish(1)
        let fleet = try (0..<processes).map { number in
            try Listeners(of: channel, setups: setups * (number + 1) / processes - setups * number / processes)
        }
        func times(of version: Int) -> [UInt64] { fleet.flatMap { $0.applied(version) } }
        func wait(for version: Int) -> Bool {
            for _ in 0..<3000 where times(of: version).count < setups { usleep(10_000) }
            return times(of: version).count >= setups
        }
        guard wait(for: 1) else { throw BenchmarkError("\(kind): the setups do not start") }
        // The connections come after the first fetches, and bring fetches of their own.
        sleep(3)
        var milliseconds: [Double] = []
        var missed = 0
        // The first one warms up what the others use.
        for version in 2..<publications + 3 {
            let start = Meter.nanoseconds
            try channel.publish(version)
            if !wait(for: version) { missed += setups - times(of: version).count }
            if version > 2 { milliseconds += times(of: version).map { Double($0 - start) / 1e6 } }
            // Fetches that signals ask for are a second apart.
            usleep(UInt32.random(in: 1_200_000...1_500_000))
        }
        milliseconds.sort()
        let subject = "\(kind), \(setups) setups in \(processes) processes"
        for (name, part) in [("p50", 0.5), ("p99", 0.99), ("p100", 1)] where !milliseconds.isEmpty {
            let index = min(Int(Double(milliseconds.count) * part), milliseconds.count - 1)
            try Figure("published_until_applied_\(name)", milliseconds[index], "ms", of: subject).print()
        }
        try Figure("missed", Double(missed), "of \(setups * publications)", of: subject).print()
        withExtendedLifetime(channel) {}
        guard missed == 0 else { throw BenchmarkError("\(subject): publications were missed") }
    }
}
