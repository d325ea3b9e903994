import ConfigurationWorkload
import Foundation
import Synchronization
@_spi(Tools) import TrackerConfig
import TrackerFeatures
import Workload

/// From a cached document until its trackers can be used.
enum Start {
    private static let namespaces = 10

    /// The milliseconds until the first update came, and until a tracker gave an event its id.
    private struct Times: Codable {
        var update: Double
        var tracked: Double
    }

    static func measure(starts: Int) async throws {
        let directory = try Rig.makeDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let text = DocumentText.namespaces(version: 2, count: namespaces, changing: namespaces)
        try await keep(text, in: directory)
        for (state, isKept) in [("fresh state directory", false), ("existing state directory", true)] {
            // The first one makes what the others find.
            if isKept { _ = try timesOfProcess(directory, state: "state") }
            let times = try (0..<starts).map { number in
                try timesOfProcess(directory, state: isKept ? "state" : "state-\(number)")
            }
            try report(times, "new process, \(state)")
        }
        var warm: [Times] = []
        for _ in 0...starts { warm.append(try start(in: directory, state: "state")) }
        try report(Array(warm.dropFirst()), "warm, existing state directory")
    }

    /// What a new process does.
    static func measureOne(_ options: Options) throws {
        let times = try start(in: options.text("directory") ?? "", state: options.text("state") ?? "")
        print(String(decoding: try JSONEncoder().encode(times), as: UTF8.self))
    }

    private static func keep(_ text: [UInt8], in directory: String) async throws {
        let entry = CacheEntry(
            url: Service.url, version: 2, document: text, validators: DocumentValidators(), fetchTime: Date())
        try Internals.diskCache(directory: "\(directory)/cache").update(Service.url) { _ in [entry] }
    }

    private static func timesOfProcess(_ directory: String, state: String) throws -> Times {
        let output = try ConfigurationCommand.measureAlone(
            ["started", "--directory", directory, "--state", state], isRead: true)
        return try JSONDecoder().decode(Times.self, from: Data(output.utf8))
    }

    private static func start(in directory: String, state: String) throws -> Times {
        var options = Service.options(in: directory, MemorySource())
        options.stateDirectory = "\(directory)/\(state)"
        let updated = Atomic<UInt64>(0)
        let start = Meter.nanoseconds
        let setup = try Setup(remote: RemoteConfiguration(endpoint: Service.url), options: options) { update in
            if update.namespaces.count == namespaces { updated.store(Meter.nanoseconds, ordering: .relaxed) }
        }
        let isTracked = setup.tracker("service-3")?.track(Structured(category: "cart", action: "add")) != nil
        let end = Meter.nanoseconds
        let update = updated.load(ordering: .relaxed)
        guard isTracked, update > 0 else { throw BenchmarkError("the trackers cannot be used") }
        return Times(update: Double(update - start) / 1e6, tracked: Double(end - start) / 1e6)
    }

    private static func report(_ times: [Times], _ subject: String) throws {
        try Figure("start_until_update", times.map(\.update).median, "ms", of: subject).print()
        try Figure("start_until_tracked", times.map(\.tracked).median, "ms", of: subject).print()
        try Figure("start_until_tracked_worst", times.map(\.tracked).max() ?? 0, "ms", of: subject).print()
    }
}
