import Foundation
import HTTPSink
import Workload

/// Starts, kills and starts again; then counts.
struct Trial {
    private let kills: Int
    private let seed: Int
    private let sink: SinkServer
    private let arrivals = Arrivals()
    private let directory: String

    init(_ options: Options) throws {
        kills = try options.number("kills") ?? 20
        seed = try options.number("seed") ?? Int.random(in: 1...1_000_000)
        let delay = UInt32(try options.number("delay") ?? 3) * 1000
        directory = try Rig.makeDirectory()
        let arrivals = self.arrivals
        sink = SinkServer { body in
            arrivals.take(body)
            // The events are the collector's now, and the tracker does not know it yet.
            usleep(delay)
        }
    }

    func run() async throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        print("{\"kills\":\(kills),\"seed\":\(seed)}")
        var random = SeededRandom(seed: seed)
        var rounds: [Reports] = []
        for round in 0..<kills {
            // A committed event takes the plain ones before it to the disk, so every other child has plain ones alone.
            let words = round.isMultiple(of: 2) ? [] : ["plain"]
            rounds.append(try await killOne(words, after: 0.02 + random.next() * 0.3))
        }
        let last = try start(["last"], output: nil)
        last.waitUntilExit()
        guard last.terminationStatus == 0 else { throw BenchmarkError("the last child failed") }
        try report(rounds)
    }

    private func start(_ words: [String], output: Pipe?) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["child"] + words + ["--directory", directory, "--collector", sink.url]
        if let output { process.standardOutput = output }
        try process.run()
        return process
    }

    /// Kills a child some time after its first sign of life.
    private func killOne(_ words: [String], after seconds: Double) async throws -> Reports {
        let output = Pipe()
        let process = try start(words, output: output)
        let reader = output.fileHandleForReading
        var first = reader.availableData
        let killer = Task {
            await onThread {
                usleep(UInt32(seconds * 1e6))
                let time = Meter.nanoseconds
                kill(process.processIdentifier, SIGKILL)
                return time
            }
        }
        first += await onThread { (try? reader.readToEnd()) ?? Data() }
        var reports = Reports(first)
        reports.killTime = await killer.value
        process.waitUntilExit()
        guard process.terminationReason == .uncaughtSignal else { throw BenchmarkError("a child ended by itself") }
        return reports
    }

    private func report(_ rounds: [Reports]) throws {
        let requests = arrivals.all.requests
        var lost = 0
        var lostPlain = 0
        var windows: [Double] = []
        var oldestLost = 0.0
        var repeatedRequests = 0
        for round in rounds {
            lost += round.committed.count { requests[$0.id] == nil }
            let gone = round.plain.filter { requests[$0.id] == nil }
            lostPlain += gone.count
            func age(_ event: Reports.Event) -> Double { (Double(round.killTime) - Double(event.time)) / 1e6 }
            if let youngest = round.plain.last(where: { requests[$0.id] != nil }) { windows.append(age(youngest)) }
            if let oldest = gone.first { oldestLost = max(oldestLost, age(oldest)) }
            // Of an event that came twice, the first request is the one whose answer was never seen.
            let twice = (round.committed + round.plain).compactMap { requests[$0.id] }.filter { $0.count > 1 }
            repeatedRequests = max(repeatedRequests, Set(twice.compactMap(\.first)).count)
        }
        let sentTwice = requests.values.count { $0.count > 1 }
        try Figure("committed", Double(rounds.reduce(0) { $0 + $1.committed.count }), "events").print()
        try Figure("committed_lost", Double(lost), "events").print()
        try Figure("plain", Double(rounds.reduce(0) { $0 + $1.plain.count }), "events").print()
        try Figure("plain_lost", Double(lostPlain), "events").print()
        try Figure("sent_twice", Double(sentTwice), "events").print()
        try Figure("requests_sent_twice_by_one_kill", Double(repeatedRequests), "requests").print()
        // Two figures for one promise: what was tracked how long before the kill was kept, and what was not.
        try Figure("window_greatest", windows.max() ?? 0, "ms").print()
        try Figure("window_median", windows.sorted()[windows.count / 2], "ms").print()
        try Figure("oldest_plain_lost", oldestLost, "ms before the kill").print()
    }
}
