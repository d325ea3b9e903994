import ConfigurationWorkload
import Foundation
import TrackerConfig
import Workload

/// What a service's threads notice of a document that is applied while they track.
enum Pauses {
    private static let threads = 2
    private static let documentBytes = 1_000_000

    static func measure(samples: Int) async throws {
        let service = try await Service(.disk, transport: AcceptingTransport())
        try await service.apply(DocumentText.mixed(version: 1, bytes: documentBytes))
        await service.settle()
        let quiet = try await pauses(of: service) {
            for _ in 0..<samples { try await Task.sleep(for: .milliseconds(150)) }
        }
        try report(quiet, "nothing applied")
        let busy = try await pauses(of: service) {
            for version in 2..<samples + 2 {
                try await service.apply(DocumentText.mixed(version: version, bytes: documentBytes))
                try await Task.sleep(for: .milliseconds(100))
            }
        }
        try report(busy, "1 MB mixed applied \(samples) times")
        await service.end()
    }

    private static func report(_ times: [UInt64], _ subject: String) throws {
        try Figure("tracked", Double(times.count), "events", of: subject).print()
        try Figure("track_p99", Double(times.percentile(0.99)) / 1000, "us", of: subject).print()
        try Figure("track_p9999", Double(times.percentile(0.9999)) / 1000, "us", of: subject).print()
        try Figure("track_longest", Double(times.last ?? 0) / 1000, "us", of: subject).print()
    }

    /// The times of all calls of `track` by the threads, while `body` runs; sorted.
    private static func pauses(of service: Service, during body: () async throws -> Void) async throws -> [UInt64] {
        let tracker = service.setup.tracker("service-0")
        guard let tracker else { throw BenchmarkError("there is no tracker") }
        let stop = Stop()
        let calls = (0..<threads).map { _ in
            Task {
                await onThread {
                    let event = Order.event()
                    let entities = [Order.entity()]
                    var times: [UInt64] = []
                    times.reserveCapacity(1_000_000)
                    while !stop.isOver {
                        let start = Meter.nanoseconds
                        tracker.track(event, entities: entities)
                        times.append(Meter.nanoseconds - start)
                        usleep(100)
                    }
                    return times
                }
            }
        }
        do {
            defer { stop.end() }
            try await body()
        }
        var all: [UInt64] = []
        for call in calls { all += await call.value }
        return all.sorted()
    }
}
