import Foundation
package import TrackerCore

/// A tracker with its pipeline, as a service would have them, and a store that ends with the rig.
package final class Rig: Sendable {
    /// Where events wait.
    package enum Store: String, Sendable {
        case memory
        case durable
    }

    package let pipeline: EventPipeline
    package let tracker: Tracker
    /// A tracker of another namespace, with the same pipeline.
    package let other: Tracker
    private let directory: String?
    private let ownsDirectory: Bool

    /// Creates a tracker.
    /// - Parameters:
    ///   - store: Where its events wait.
    ///   - collector: The collector's URL.
    ///   - batch: How many events a request has at most; nil for the built-in number.
    ///   - isSending: Whether its events are sent at all.
    ///   - usesBase64: Whether the JSON of events is encoded as base64.
    ///   - transport: What moves requests; nil for the SDK's own.
    ///   - kept: The directory of a durable store, which stays; nil for one that ends with the rig.
    /// - Throws: Where the store's directory cannot be made.
    package init(
        _ store: Store, collector: String, batch: Int? = nil, isSending: Bool = true, usesBase64: Bool = true,
        transport: (any HTTPTransport)? = nil, in kept: String? = nil
    ) throws {
        directory = store == .durable ? try kept ?? Self.makeDirectory() : nil
        ownsDirectory = kept == nil
        pipeline = EventPipeline(stateDirectory: directory, transport: transport)
        tracker = try Tracker(
            Self.bundle(collector: collector, batch: batch, usesBase64: usesBase64), pipeline: pipeline)
        other = try Tracker(
            Self.bundle("others", collector: collector, batch: batch, usesBase64: usesBase64), pipeline: pipeline)
        if !isSending { tracker.emitter.pause() }
    }

    deinit {
        if let directory, ownsDirectory { try? FileManager.default.removeItem(atPath: directory) }
    }

    /// What the tracker is configured by.
    package static func bundle(
        _ namespace: String = "benchmarks", collector: String, batch: Int? = nil, usesBase64: Bool = true
    ) -> ConfigurationBundle {
        ConfigurationBundle(
            namespace: namespace,
            network: NetworkConfiguration(endpoint: collector),
            tracker: TrackerConfiguration {
                $0.appID = "benchmarks"
                $0.base64Encoding = usesBase64
            },
            emitter: EmitterConfiguration {
                $0.emitRange = batch
                // Nothing may fall out of the store while it is measured.
                $0.maxEventStoreSize = 100_000_000
                $0.maxEventStoreBytes = 10 << 30
            })
    }

    /// A new directory of its own.
    package static func makeDirectory() throws -> String {
        let directory = NSTemporaryDirectory() + "/tracker-benchmarks-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        return directory
    }

    /// Makes and tracks events as fast as it can, on the calling thread. Where the queue is full it waits for room.
    /// - Returns: How often it had to wait.
    @discardableResult
    package func track(_ count: Int) -> Int {
        var waits = 0
        for _ in 0..<count {
            while tracker.track(Order.event(), entities: [Order.entity()]) == nil {
                waits += 1
                usleep(500)
            }
        }
        return waits
    }

    /// Sends all there is.
    package func drain() async throws {
        for tracker in [tracker, other] {
            await tracker.flush(timeout: .seconds(600))
            let counters = tracker.counters
            guard counters.stored == 0, counters.sent == counters.tracked else {
                throw BenchmarkError("not all events were sent: \(counters)")
            }
        }
    }
}

/// Why a figure could not be taken.
package struct BenchmarkError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
