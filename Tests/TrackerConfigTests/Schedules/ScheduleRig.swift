import Foundation
import TestSupport
import TrackerConfig
import TrackerFeatures
import TrackerTesting

/// Features of a document over a clock that a test moves, which begins at 2023-11-14T22:13:20Z.
struct ScheduleRig {
    let time = ManualTime()
    let log = MemoryLog()
    let features: Features

    /// Starts with a document's features.
    /// - Parameters:
    ///   - json: The document's features.
    ///   - more: Further members of the document, each after a comma.
    ///   - default: The default document's features.
    ///   - clock: The clock; ``time`` by default.
    /// - Throws: If a document cannot be read.
    init(_ json: String, more: String = "", default: String? = nil, clock: (any TimeSource)? = nil) throws {
        let document = try Self.document(json, more: more)
        let defaults = try `default`.map { try Self.document($0).features }
        let time = clock ?? time
        features = Features(
            FeatureOptions(), defaultFeatures: defaults ?? document.features,
            defaultExperiments: defaults == nil ? document.experiments : [], log: Log(log, level: .debug)
        ) { $0.time = time }
        let remote = FeatureStore.Remote(
            version: 1, features: document.features, experiments: document.experiments)
        _ = features.replaceDocument(by: defaults == nil ? nil : remote)
        features.store.listeners.release()
    }

    /// Applies a remote document with these features, and calls the listeners.
    func apply(_ json: String, version: Int = 2) throws {
        let document = try Self.document(json)
        let remote = FeatureStore.Remote(version: version, features: document.features, experiments: [])
        _ = features.replaceDocument(by: remote)
        features.store.listeners.release()
    }

    static func document(_ features: String, more: String = "") throws -> Document {
        try Document(Array(DocumentText.document(1, more: ",\n\"features\":\(features)\(more)").utf8))
    }
}

/// A clock that moves by an hour at each look of the test, and counts these.
final class RestlessTime: TimeSource {
    /// Whether the test looks, and not the task that waits for schedules.
    @TaskLocal static var isTest = false
    private let state = Locked<(looks: Int, now: Int64)>((0, 1_700_000_000_000))

    /// How often the wall clock was read.
    var looks: Int { state.withLock { $0.looks } }

    var now: Date {
        state.withLock { state in
            if Self.isTest {
                state.looks += 1
                state.now += 3_600_000
            }
            return Date(milliseconds: state.now)
        }
    }

    var uptime: Duration { .zero }

    func sleep(for duration: Duration) async throws { try await Task.sleep(for: .seconds(1_000_000)) }
}
