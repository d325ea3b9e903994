import TrackerConfig
import TrackerCore

/// A setup of the demonstration, with what it has applied.
struct DemoService: Sendable {
    /// A configuration that was applied.
    struct Applied: Sendable {
        let state: ConfigurationState
        let version: Int?
        let namespaces: [String]
        let warnings: [String]
        /// The time since the service's start.
        let time: Duration
    }

    /// All configurations so far.
    final class Record: Sendable {
        private let start = ContinuousClock.now
        private let list = Locked<[Applied]>([])

        var all: [Applied] { list.withLock { $0 } }

        func note(_ update: ConfigurationUpdate) {
            let applied = Applied(
                state: update.state, version: update.version, namespaces: update.namespaces,
                warnings: update.warnings.map(\.description), time: ContinuousClock.now - start)
            list.withLock { $0.append(applied) }
        }
    }

    let setup: Setup
    let record: Record

    /// Waits until a version was applied.
    /// - Parameters:
    ///   - version: The version.
    ///   - state: The state.
    /// - Returns: The first such configuration; nil if the task was cancelled or the setup was shut down.
    func applied(_ version: Int, _ state: ConfigurationState) async -> Applied? {
        // The record has each configuration before the sequence has it.
        for await _ in setup.events {
            if let found = record.all.first(where: { $0.version == version && $0.state == state }) { return found }
        }
        return nil
    }
}
