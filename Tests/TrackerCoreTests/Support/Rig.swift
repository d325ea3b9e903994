import Foundation
import TestSupport
import Testing
import TrackerTesting

@testable import TrackerCore

/// A pipeline whose clock, transport and log belong to the test.
struct Rig {
    let time = ManualTime()
    let transport = ScriptedTransport()
    let log = MemoryLog()
    let pipeline: EventPipeline
    private let isOnDisk: Bool

    init(stateDirectory: String? = nil, seed: UInt64 = 1) {
        self.init(directory: stateDirectory.map { StateDirectory(path: $0, service: "tests") }, seed: seed)
    }

    init(
        directory: StateDirectory?, deadLetters: DeadLetters = .off,
        maxMemoryEventBytes: Int = EventStore.defaultMemoryBytes, seed: UInt64
    ) {
        isOnDisk = directory != nil
        pipeline = EventPipeline(
            directory: directory, deadLetters: deadLetters, maxMemoryEventBytes: maxMemoryEventBytes,
            transport: transport,
            log: Log(log, level: .trace), time: time,
            random: SeededRandom(seed: seed))
    }

    /// A tracker that the pipeline knows already, after the pipeline's first look at what others left: what the test leaves
    /// later is seen when the test says so.
    func tracker(
        _ namespace: String = "ns", _ configure: (inout ConfigurationBundle) -> Void = { _ in }
    ) async throws -> Tracker {
        let tracker = try make(namespace, configure)
        await settle(tracker)
        return tracker
    }

    /// A tracker whose events are stored and not sent.
    func idleTracker(
        _ namespace: String = "ns", _ configure: (inout ConfigurationBundle) -> Void = { _ in }
    ) async throws -> Tracker {
        var made: Tracker?
        // Else what others left could be sent before.
        try await pipeline.holdingStore {
            made = try make(namespace, configure)
            made?.emitter.pause()
        }
        let tracker = try #require(made)
        await settle(tracker)
        return tracker
    }

    private func make(_ namespace: String, _ configure: (inout ConfigurationBundle) -> Void) throws -> Tracker {
        var bundle = ConfigurationBundle.sample(namespace)
        configure(&bundle)
        return try Tracker(bundle, pipeline: pipeline)
    }

    private func settle(_ tracker: Tracker) async {
        await tracker.followed()
        guard isOnDisk else { return }
        await time.waitForSleep(in: .zero...EventPipeline.maintenanceInterval)
        await pipeline.takeOverTask?.value
    }

    /// Lets a process store events in a directory and end without sending them.
    static func leave(
        _ numbers: ClosedRange<Int>, in directory: TemporaryDirectory, of namespace: String = "ns", seed: UInt64,
        _ configure: (inout ConfigurationBundle) -> Void = { _ in }
    ) async throws {
        let rig = Rig(stateDirectory: directory.path, seed: seed)
        let tracker = try await rig.idleTracker(namespace, configure)
        tracker.track(numbers)
        await rig.pipeline.shutdown(timeout: .zero)
    }

    /// The parameters of all events of all POST requests.
    var events: [[String: String]] { transport.requests.flatMap(\.events) }

    /// The actions of the structured events of all POST requests.
    var actions: [String] { events.map { $0["se_ac"] ?? "?" } }
}

extension ConfigurationBundle {
    static func sample(_ namespace: String = "ns") -> ConfigurationBundle {
        ConfigurationBundle(
            namespace: namespace, network: NetworkConfiguration(endpoint: "https://c.example"),
            tracker: TrackerConfiguration { $0.logLevel = .trace }, emitter: EmitterConfiguration())
    }
}

extension Tracker {
    /// Returns when the pipeline has seen what was changed.
    func followed() async {
        await pipeline.settingsChanged(of: namespaceEmitter)
    }

    /// The counters once the store has everything that was tracked so far.
    func storedCounters() async -> TrackerCounters {
        await pipeline.drain()
        return await settledCounters()
    }

    /// Tracks structured events whose actions are these numbers.
    func track(_ numbers: ClosedRange<Int>) {
        for number in numbers { track(Structured(category: "c", action: "\(number)")) }
    }
}

extension TrackerCounters {
    /// Whether every event that was taken in is somewhere.
    var addUp: Bool { addUp(recovered: 0) }

    func addUp(recovered: Int) -> Bool {
        let refused: [DropReason] = [.paused, .removed, .invalid, .shutDown, .queueFull]
        let lost = droppedByReason.filter { !refused.contains($0.key) }.values.reduce(0, +)
        return tracked + recovered == sent + stored + lost
    }
}

extension [String: String] {
    private var payload: EventPayload { EventPayload(JSONObject(map { ($0.key, .string($0.value)) })) }

    /// The self-describing event, without the envelope, however it is encoded.
    var event: JSONValue? { payload.selfDescribing }

    /// The entities, each with schema and data.
    var entities: [JSONValue] { payload.entities }

    /// The data of the entity whose schema has this name.
    func entity(_ name: String) -> JSONValue? {
        entities.first { $0["schema"]?.string?.contains("/\(name)/jsonschema/") == true }?["data"]
    }

    /// The event and the entities in their envelopes.
    var envelopes: [JSONValue] { [payload.envelopedEvent, payload.envelopedEntities].compactMap { $0 } }
}

extension HTTPTransportRequest {
    /// The parameters of a GET request, decoded as a server does.
    var query: [String: String] {
        guard let start = url.firstIndex(of: "?") else { return [:] }
        let pairs = url[url.index(after: start)...].split(separator: "&").map { pair in
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { $0.removingPercentEncoding ?? "undecodable" }
            return (sides[0], sides.count > 1 ? sides[1] : "")
        }
        return Dictionary(pairs, uniquingKeysWith: { _, _ in "twice" })
    }

    func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}
