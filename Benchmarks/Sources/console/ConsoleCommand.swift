import ConfigurationWorkload
import Foundation
import TrackerConfig
import TrackerConsole
import Workload

/// Takes what a console costs a service's `track()`; prints each figure as a line of JSON.
@main
enum ConsoleCommand {
    private static let usage = """
        usage: console [--bursts N]

        Three services in one process track bursts of 1,000 events in turns: one without a console, one with a console
        that no page has open, and one whose console has a page open. The ratios are of the medians of so many bursts (2,000).
        """

    private static let burst = 1000

    static func main() async {
        do {
            let options = try Options(CommandLine.arguments.dropFirst())
            guard options.words.isEmpty else { throw BenchmarkError(usage) }
            try await measure(bursts: try options.number("bursts") ?? 2000)
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }

    private static func measure(bursts: Int) async throws {
        var services: [Service] = []
        for _ in 0..<3 {
            let service = try await Service(.memory, transport: AcceptingTransport())
            try await service.apply(DocumentText.namespaces(version: 1, count: 1, changing: 0))
            await service.settle()
            services.append(service)
        }
        let unseen = WebConsole(services[1].setup)
        let viewer = Viewer(WebConsole(services[2].setup))
        let trackers = services.compactMap { $0.setup.tracker("service-0") }
        guard trackers.count == services.count else { throw BenchmarkError("there is no tracker") }
        // Pages build up what is remembered for them, and the store's thread its batches.
        _ = await times(trackers, bursts: bursts / 10)
        let medians = await times(trackers, bursts: bursts).map { Double($0.sorted()[$0.count / 2]) / Double(burst) }
        for (name, median) in zip(["no_console", "console_unseen", "console_open"], medians) {
            try Figure("track_\(name)", median, "ns").print()
        }
        try Figure("track_console_unseen_to_none", medians[1] / medians[0], "").print()
        try Figure("track_console_open_to_none", medians[2] / medians[0], "").print()
        let shown = await viewer.end()
        try Figure("events_shown", Double(shown), "events", of: "\(bursts * burst * 11 / 10) tracked").print()
        guard shown > 0 else { throw BenchmarkError("the page was shown nothing") }
        withExtendedLifetime(unseen) {}
        for service in services { await service.end() }
    }

    /// The nanoseconds of each burst, by tracker.
    private static func times(_ trackers: [Tracker], bursts: Int) async -> [[UInt64]] {
        await onThread {
            let (event, entities) = (Order.event(), [Order.entity()])
            var times = trackers.map { _ in [UInt64]() }
            for round in 0..<bursts {
                // Each is the first, the second and the last as often as the others.
                for turn in trackers.indices {
                    let index = (turn + round) % trackers.count
                    let start = Meter.nanoseconds
                    for _ in 0..<burst { trackers[index].track(event, entities: entities) }
                    times[index].append(Meter.nanoseconds - start)
                    // The store's thread takes what was left to it before the next one is timed.
                    usleep(3000)
                }
            }
            return times
        }
    }
}

/// An open page, as far as the service notices it.
private final class Viewer: Sendable {
    private let task: Task<Int, Never>

    init(_ console: WebConsole) {
        task = Task {
            var shown = 0
            let request = ConsoleRequest(method: "GET", path: "/console/stream", authority: "localhost")
            guard case .stream(let pieces) = await console.respond(to: request).body else { return shown }
            for await piece in pieces {
                shown += String(decoding: piece, as: UTF8.self).ranges(of: "\"type\":\"ue\"").count
                if Task.isCancelled { break }
            }
            return shown
        }
    }

    /// - Returns: How many events it was shown.
    func end() async -> Int {
        task.cancel()
        return await task.value
    }
}
