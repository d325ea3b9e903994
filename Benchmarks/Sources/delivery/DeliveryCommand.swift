import Foundation
import HTTPSink
import TrackerCore
import Workload

/// Takes figures of whole processes; prints each as a line of JSON.
@main
enum DeliveryCommand {
    private static let usage = """
        usage: delivery [memory|durable|committed|calls|threads|backlog|queued-memory|queued-durable]
                        [--events N] [--batch N] [--collector URL] [--base64 on|off]

        `--base64` is for the words that begin with "queued". Without a word it takes all figures, each in a process of its own.
        """

    static func main() async {
        SinkProcess.serveIfAsked()
        do {
            let options = try Options(CommandLine.arguments.dropFirst())
            if let word = options.words.first {
                try await measure(word, options)
            } else {
                try measureAll(Array(CommandLine.arguments.dropFirst()))
            }
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }

    private static func measureAll(_ arguments: [String]) throws {
        for word in ["calls", "threads", "backlog", "memory", "durable", "queued-memory", "queued-durable"] {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            process.arguments = [word] + arguments
            try process.run()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else { throw BenchmarkError("\(word) failed") }
        }
    }

    private static func measure(_ word: String, _ options: Options) async throws {
        let events = try options.number("events") ?? 100_000
        let batch = try options.number("batch")
        // Held until the end: it ends with its owner.
        let sink = options.text("collector") == nil ? try SinkProcess() : nil
        let collector = options.text("collector") ?? sink?.url ?? ""
        switch word {
        case "memory": try await deliver(.memory, events, batch, collector)
        case "durable": try await deliver(.durable, events, batch, collector)
        case "committed":
            try await deliver(.durable, try options.number("events") ?? 2000, batch, collector, isCommitted: true)
        case "calls":
            try await callTimes(.memory, events, collector)
            try await callTimes(.durable, events, collector)
        case "threads": try await threads(events, collector)
        case "backlog": try await Backlog.measure(try options.number("events") ?? 1_000_000, batch, collector)
        case "queued-memory": try await queued(.memory, events, usesBase64: options.text("base64") != "off")
        case "queued-durable": try await queued(.durable, events, usesBase64: options.text("base64") != "off")
        default: throw BenchmarkError(usage)
        }
        withExtendedLifetime(sink) {}
    }

    private static func deliver(
        _ store: Rig.Store, _ events: Int, _ batch: Int?, _ collector: String, isCommitted: Bool = false
    ) async throws {
        let rig = try Rig(store, collector: collector, batch: batch)
        // The first events pay for the connection, the file and the first pages of memory.
        _ = try await rig.deliver(1000)
        let delivery = try await rig.deliver(events, isCommitted: isCommitted)
        func print(_ name: String, _ value: Double, _ unit: String) throws {
            let name = (isCommitted ? "committed_" : "") + name
            try Figure(name, value, unit, store: store, events: events, batch: batch ?? 500).print()
        }
        try print("track_mean_while_sending", delivery.trackSeconds / Double(events) * 1e6, "us")
        try print("delivered", Double(events) / delivery.seconds, "events/s")
        try print("cpu_per_100k", delivery.cpuSeconds / Double(events) * 1e5, "s")
        try print("peak_rss", Double(Meter.peakResidentBytes) / 1e6, "MB")
        if delivery.waits > 0 { try print("waits_for_room", Double(delivery.waits), "") }
        await rig.pipeline.shutdown()
    }

    private static func callTimes(_ store: Rig.Store, _ events: Int, _ collector: String) async throws {
        let rig = try Rig(store, collector: collector)
        _ = try await rig.deliver(min(events, 10_000))
        var times = await rig.callTimes(events)
        try await rig.drain()
        let mean = times.mean
        times.sort()
        try Figure("track_call_mean", mean / 1000, "us", store: store, events: events).print()
        for (name, part) in [("p50", 0.5), ("p99", 0.99), ("p999", 0.999)] {
            let time = Double(times.percentile(part)) / 1000
            try Figure("track_call_\(name)", time, "us", store: store, events: events).print()
        }
        await rig.pipeline.shutdown()
    }

    private static func threads(_ events: Int, _ collector: String) async throws {
        for store in [Rig.Store.memory, .durable] {
            let rig = try Rig(store, collector: collector)
            _ = try await rig.deliver(min(events, 10_000))
            let seconds = try await rig.trackInParallel(threads: 2, each: events / 2)
            try await rig.drain()
            let rate = Double(events / 2 * 2) / seconds
            try Figure("tracked_by_2_threads", rate, "events/s", store: store, events: events).print()
            try await rig.drain()
            // Bursts that end before the store's thread begins: on two cores it would be a third thread.
            let ratio = try await ratio { try await rig.trackInParallel(threads: $0, each: 60) }
            try await rig.drain()
            let apart = try await Self.ratio { try await rig.trackInParallel(threads: $0, each: 60, isApart: true) }
            try await rig.drain()
            // What shares nothing tells what the machine itself takes for a second thread.
            let machine = try await Self.ratio { threads in
                await inParallel(threads: threads) {
                    var random = SeededRandom(seed: 1)
                    return {
                        var sum = 0.0
                        for _ in 0..<30_000 { sum += random.next() }
                        precondition(sum > 0)
                    }
                }
            }
            try Figure("track_2_threads_to_1", ratio, "", store: store).print()
            try Figure("track_2_threads_to_1_by_arithmetic", ratio / machine, "", store: store).print()
            try Figure("track_2_threads_of_2_trackers_to_1_by_arithmetic", apart / machine, "", store: store).print()
            await rig.pipeline.shutdown()
        }
    }

    /// The time of a call of each of two threads by that of one: the median of pairs in turns, each after a rest.
    private static func ratio(_ seconds: (_ threads: Int) async throws -> Double) async throws -> Double {
        var ratios: [Double] = []
        for _ in 0..<401 {
            let one = try await seconds(1)
            try await Task.sleep(for: .milliseconds(5))
            ratios.append(try await seconds(2) / one)
            try await Task.sleep(for: .milliseconds(5))
        }
        return ratios.median
    }

    private static func queued(_ store: Rig.Store, _ events: Int, usesBase64: Bool) async throws {
        let size = try await RowSize(usesBase64: usesBase64)
        if store == .memory { try Figure("event_on_the_wire", Double(size.sent), "bytes").print() }
        let rig = try Rig(store, collector: "http://127.0.0.1:1", isSending: false, usesBase64: usesBase64)
        let bytes = await rig.memoryPerQueuedEvent(events)
        try Figure("memory_per_queued_event", bytes, "bytes", store: store, events: events).print()
        if store == .memory {
            let beyond = bytes - Double(size.stored)
            try Figure("memory_per_queued_event_beyond_its_row", beyond, "bytes", store: store, events: events).print()
        }
        await rig.pipeline.shutdown(timeout: .zero)
    }
}
