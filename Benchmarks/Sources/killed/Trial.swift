import Foundation
import HTTPSink
import Workload

/// Starts, kills and starts again; then counts.
struct Trial {
    /// When a child is killed.
    private enum Moment {
        /// Right after it has said one more line.
        case atOnce
        /// So many seconds after its first line.
        case after(Double)
    }

    private let kills: Int
    private let seed: Int
    private let delay: UInt32
    private let arrivals = Arrivals()
    private let directory: String

    init(_ options: Options) throws {
        kills = try options.number("kills") ?? 20
        seed = try options.number("seed") ?? Int.random(in: 1...1_000_000)
        delay = UInt32(try options.number("delay") ?? 3) * 1000
        directory = try Rig.makeDirectory()
    }

    func run() async throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        print("{\"kills\":\(kills),\"seed\":\(seed)}")
        var random = SeededRandom(seed: seed)
        var rounds: [Reports] = []
        for round in 0..<kills {
            // A committed event takes the plain ones before it to the disk, so every other child has plain ones alone.
            let words = round.isMultiple(of: 2) ? [] : ["plain"]
            let moment = round.isMultiple(of: 3) ? Moment.atOnce : .after(0.005 + random.next() * 0.15)
            rounds.append(try await killOne(round, words, moment))
        }
        let last = try start(kills, ["last"], output: nil)
        last.waitUntilExit()
        guard last.terminationStatus == 0 else { throw BenchmarkError("the last child failed") }
        try report(rounds)
    }

    /// Starts a child, which sends to a collector of its own.
    private func start(_ child: Int, _ words: [String], output: Pipe?) throws -> Process {
        let (arrivals, delay) = (arrivals, delay)
        let sink = SinkServer { body in
            arrivals.take(body, of: child)
            // The events are the collector's now, and the tracker does not know it yet.
            usleep(delay)
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["child"] + words + ["--directory", directory, "--collector", sink.url]
        if let output { process.standardOutput = output }
        try process.run()
        return process
    }

    private func killOne(_ child: Int, _ words: [String], _ moment: Moment) async throws -> Reports {
        let output = Pipe()
        let process = try start(child, words, output: output)
        let id = process.processIdentifier
        let reader = output.fileHandleForReading
        var said = reader.availableData
        switch moment {
        case .atOnce:
            said += reader.availableData
            kill(id, SIGKILL)
        case .after(let seconds):
            // Meanwhile its lines are read, so that it need not wait.
            Thread {
                usleep(UInt32(seconds * 1e6))
                kill(id, SIGKILL)
            }.start()
        }
        said += await onThread { (try? reader.readToEnd()) ?? Data() }
        process.waitUntilExit()
        guard process.terminationReason == .uncaughtSignal, process.terminationStatus == SIGKILL else {
            throw BenchmarkError("a child ended by itself")
        }
        return Reports(said)
    }

    private func report(_ rounds: [Reports]) throws {
        let arrived = arrivals.all
        let committedLost = rounds.reduce(0) { $0 + $1.committed.count { arrived.requests[$0] == nil } }
        let plainLost = rounds.reduce(0) { $0 + $1.plain.count { arrived.requests[$0] == nil } }
        let twice = arrived.requests.values.filter { $0.count > 1 }
        let unexcused = twice.count { !arrived.isExcused($0) }
        let repeated = Set(twice.flatMap { $0.sorted().dropLast() })
        let mostRepeated = Dictionary(grouping: repeated, by: \.child).values.map(\.count).max() ?? 0
        try Figure("committed", Double(rounds.reduce(0) { $0 + $1.committed.count }), "events").print()
        try Figure("committed_lost", Double(committedLost), "events").print()
        try Figure("plain", Double(rounds.reduce(0) { $0 + $1.plain.count }), "events").print()
        try Figure("plain_lost", Double(plainLost), "events").print()
        try Figure("sent_twice", Double(twice.count), "events").print()
        try Figure("sent_twice_not_in_flight", Double(unexcused), "events").print()
        try Figure("requests_sent_twice_by_one_kill", Double(mostRepeated), "requests").print()
        guard committedLost == 0, plainLost == 0 else { throw BenchmarkError("a kill lost events") }
        guard unexcused == 0 else { throw BenchmarkError("events came twice that were not in flight at a kill") }
    }
}
