import Logging
import ServiceLifecycle
import TrackerConfig

/// Runs a setup for as long as the services after it in the group need it, then sends what it can.
struct SetupService: Service, CustomStringConvertible {
    private let setup: Setup
    private let logger: Logger

    var description: String { "trackers" }

    init(_ setup: Setup, _ logger: Logger) {
        self.setup = setup
        self.logger = logger
    }

    func run() async throws {
        // Throws where the group is cancelled, as by a port that is taken; what was tracked is kept then too.
        try? await gracefulShutdown()
        let report = await setup.shutdown(timeout: .seconds(5))
        logger.info(
            "the trackers are shut down",
            metadata: ["sent": "\(report.sent)", "stored": "\(report.stored)", "dropped": "\(report.dropped)"])
    }
}
