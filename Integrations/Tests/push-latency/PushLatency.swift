import Foundation
import Synchronization
import TrackerConfig

/// Publishes documents to many setups in this process that listen to a server of their own, and says how long each took.
///
///     push-latency redis|etcd [SETUPS [PUBLICATIONS]]
///
/// It prints lines of JSON, as the programs in `Benchmarks` do, and ends with 1 if a setup misses a publication.
@main
enum PushLatency {
    static func main() async throws {
        let words = Array(CommandLine.arguments.dropFirst())
        // Nothing of the setups is on a disk.
        for name in ["HOME", "STATE_DIRECTORY", "XDG_STATE_HOME"] { unsetenv(name) }
        let count = words.count > 1 ? Int(words[1]) ?? 500 : 500
        let publications = words.count > 2 ? Int(words[2]) ?? 20 : 20
        let server = try Server(words.first ?? "")
        defer { server.stop() }
        try server.publish(1)
        // When setups applied a version, by version.
        let applied = Mutex<[Int: [ContinuousClock.Instant]]>([:])
        let setups = try (0..<count).map { _ in
            var options = SetupOptions()
            options.cache = MemoryCache()
            (options.storesEvents, options.crashGuard, options.source) = (false, nil, server.source())
            var remote = RemoteConfiguration(endpoint: "https://config.example/trackers.json")
            // Polls have no part in what is measured.
            remote.pollInterval = .seconds(600)
            return try Setup(remote: remote, options: options) { update in
                let now = ContinuousClock.now
                applied.withLock { $0[update.version ?? 0, default: []].append(now) }
            }
        }
        func missing(_ version: Int) async throws -> Int {
            for _ in 0..<3000 {
                if applied.withLock({ $0[version]?.count ?? 0 }) >= count { return 0 }
                try await Task.sleep(for: .milliseconds(10))
            }
            return count - applied.withLock { $0[version]?.count ?? 0 }
        }
        guard try await missing(1) == 0 else { throw Failure(description: "the setups do not start") }
        // The connections come after the first fetches, and bring fetches of their own.
        try await Task.sleep(for: .seconds(5))
        var (times, missed): ([Duration], Int) = ([], 0)
        // The first one warms up what the others use.
        for version in 2..<publications + 3 {
            let start = ContinuousClock.now
            try server.publish(version)
            missed += try await missing(version)
            if version > 2 { times += applied.withLock { $0[version] ?? [] }.map { $0 - start } }
            try await Task.sleep(for: .milliseconds(1_300))
        }
        times.sort()
        let subject = "\(server.name), \(count) setups"
        func print(_ figure: String, _ value: Double, _ unit: String) {
            Swift.print(#"{"figure":"\#(figure)","of":"\#(subject)","unit":"\#(unit)","value":\#(value)}"#)
        }
        for (name, part) in [("p50", 0.5), ("p99", 0.99), ("p100", 1)] where !times.isEmpty {
            let time = times[min(Int(Double(times.count) * part), times.count - 1)]
            print("published_until_applied_\(name)", time / .milliseconds(1), "ms")
        }
        print(
            "threads", Double(try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count), "threads")
        print("missed", Double(missed), "of \(count * publications)")
        withExtendedLifetime(setups) {}
        guard missed == 0 else { throw Failure(description: "\(subject): publications were missed") }
    }
}

struct Failure: Error, CustomStringConvertible {
    let description: String
}
