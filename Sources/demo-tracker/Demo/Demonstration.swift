import Foundation
import TrackerCommandLine
import TrackerConfig
import TrackerCore
import TrackerLoopbackServer

/// The story of a service whose trackers follow a document, in chapters that end with a result.
struct Demonstration {
    let directory: String
    let timeline: Timeline
    let servers: DemoServers
    var tally = Tally()

    private var chapter = 0
    private var open: [DemoService] = []

    /// Starts the servers.
    /// - Parameters:
    ///   - directory: The directory for all files.
    ///   - timeline: What the story is printed to.
    ///   - servers: The servers; nil, the default, for those that work.
    /// - Throws: If they cannot be started.
    init(directory: String, _ timeline: Timeline, servers: DemoServers? = nil) throws {
        (self.directory, self.timeline) = (directory, timeline)
        self.servers = try servers ?? DemoServers(directory: directory)
    }

    /// Runs all chapters.
    /// - Returns: What happened.
    /// - Throws: ``BrokenClaim`` if a chapter does not show what it claims, `CancellationError` if the task was cancelled,
    ///   or why it cannot run.
    mutating func run() async throws -> Tally {
        do {
            try await runChapters()
        } catch {
            for service in open { await service.setup.shutdown(timeout: .zero) }
            servers.stop()
            guard let fault = error as? BrokenClaim else { throw error }
            let subject = chapter > 0 ? "chapter \(chapter)" : "the summary"
            throw BrokenClaim(reason: "\(subject) does not show what it claims: \(fault.reason)")
        }
        servers.stop()
        return tally
    }

    private mutating func runChapters() async throws {
        timeline.paragraph(
            "Eight chapters show a service that follows one JSON document. The service tracks what its users do, and sends "
                + "it as events to collectors, the servers that receive events. The document is on a web server. It decides "
                + "which trackers the service has, where each of them sends, and which features are on. The web server and "
                + "two collectors, north and south, are on this machine and stop with the demonstration.")
        let service = try await startFromCache()
        try await changeAtRunTime(service)
        try await removeNamespace(service)
        try await rejectDocument(service)
        try await revertCanary(service)
        try await killProcess(service)
        try await evaluateFeatures(service)
        try await followStream(restarting: service)
        for service in open { await shutDown(service) }
        chapter = 0
        try tally.check()
    }

    /// Begins a chapter.
    mutating func begin(_ title: String, _ words: String) throws {
        try Task.checkCancellation()
        chapter += 1
        timeline.chapter("\(chapter). \(title)", words)
    }

    /// Replaces the document.
    mutating func publish(_ document: DemoDocument) throws {
        try servers.publish(document)
        tally.published.insert(document.version)
        timeline.detail(.document, "version \(document.version) is published", document.bundles + document.members)
    }

    /// Starts a setup.
    /// - Parameters:
    ///   - name: The name of its directories.
    ///   - pollInterval: The time between two fetches beside the stream; nil, the default, for fetches that it is asked for, and no stream.
    /// - Returns: The setup.
    /// - Throws: If it cannot be made.
    mutating func start(_ name: String = "service", pollInterval: Duration? = nil) throws -> DemoService {
        var remote = RemoteConfiguration(endpoint: servers.documentURL)
        remote.pollInterval = pollInterval
        if pollInterval != nil { remote.streamEndpoint = servers.streamURL }
        remote.timeout = Patience.limit
        var options = SetupOptions()
        options.cacheDirectory = "\(directory)/\(name)/cache"
        options.stateDirectory = "\(directory)/\(name)/state"
        options.experiments.exposureNamespaces = ["checkout"]
        options.onOutcome = { [timeline] in timeline.detail(.setup, "fetch: \($0)") }
        let record = DemoService.Record()
        let setup = try Setup(remote: remote, options: options) { [timeline] update in
            record.note(update)
            timeline.detail(update)
        }
        let service = DemoService(setup: setup, record: record)
        open.append(service)
        return service
    }

    /// Shuts a setup down and counts what it did.
    mutating func shutDown(_ service: DemoService) async {
        let report = await service.setup.shutdown(timeout: .seconds(2))
        open.removeAll { $0.setup === service.setup }
        tally.dropped += report.dropped
        for applied in service.record.all {
            if let version = applied.version { tally.applied.insert(version) }
        }
        timeline.detail(
            .service, "shut down: \(report.sent) events sent, \(report.stored) stored, \(report.dropped) dropped")
    }

    /// Fetches the document.
    mutating func refresh(_ service: DemoService) async -> ConfigurationOutcome {
        let outcome = await service.setup.refresh()
        if outcome.kind == .rejected, let version = outcome.version { tally.rejected.insert(version) }
        return outcome
    }

    /// Waits until a version was applied.
    func applied(
        _ version: Int, _ state: ConfigurationState = .fetched, by service: DemoService
    ) async throws -> DemoService.Applied {
        try await Patience.wait(for: "version \(version)") { await service.applied(version, state) }
    }

    /// Tracks events.
    mutating func track(_ count: Int, _ action: String, with tracker: Tracker?) {
        for _ in 0..<count { tracker?.track(Structured(category: "cart", action: action)) }
        tally.tracked += count
        if let tracker {
            timeline.detail(.service, "tracked \(count) events in \(tracker.namespace): cart / \(action)")
        }
    }

    /// Waits until trackers have sent their events, and takes what a collector has received.
    mutating func receive(
        from collector: DemoCollector, after trackers: Tracker?...
    ) async throws -> [ReceivedEvent] {
        for tracker in trackers { await tracker?.flush(timeout: Patience.limit) }
        try Task.checkCancellation()
        let events = collector.take()
        for event in events { tally.received.insert(event.parameters["eid"] ?? "?") }
        if !events.isEmpty {
            let lines = events.map { "\($0.parameters["tna"] ?? "?")  \($0.summary)" }
            timeline.detail(.collector, "\(collector.name) received:", lines)
        }
        return events
    }
}

extension Duration {
    /// The whole milliseconds.
    var milliseconds: Int { Int(self / .milliseconds(1)) }
}
