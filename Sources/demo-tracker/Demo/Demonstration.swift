import TrackerCommandLine
import TrackerConfig
import TrackerCore

/// A demonstration of a service whose trackers follow a document, in chapters that each end with a result.
struct Demonstration {
    /// A configuration that was applied, and the time since the setup's start.
    typealias Applied = (update: ConfigurationUpdate, time: Duration)

    /// A setup with the configurations that it has applied.
    struct Service: Sendable {
        let setup: Setup
        let applied: Locked<[Applied]>
    }

    /// The directory for all files.
    let directory: String
    let printer: Printer
    var servers: DemoServers
    var log: (any LogSink)?

    var chapter = 0
    var open: [Service] = []

    // The totals for the summary. They are sets, because a request of a killed process may arrive late and deliver
    // events twice.
    var published: Set<Int> = []
    var applied: Set<Int> = []
    var rejected: Set<Int> = []
    var received: Set<String> = []
    var dropped = 0
    var reverted: Set<Int> = []
    var kills = 0
    var tracked = 0

    /// Runs all chapters, and stops the servers.
    /// - Throws: A ``CommandFailure`` if a chapter does not show what it claims, `CancellationError` if the task was
    ///   cancelled, or the error of a setup or server.
    mutating func run() async throws {
        defer { servers.stop() }
        do {
            try await runChapters()
        } catch {
            for service in open { await service.setup.shutdown(timeout: .zero) }
            throw error
        }
    }

    private mutating func runChapters() async throws {
        printer.paragraph(
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
        try Task.checkCancellation()
        try sumUp()
    }

    /// Prints the summary.
    /// - Throws: If a document or an event is not accounted for.
    mutating func sumUp() throws(CommandFailure) {
        chapter = 0
        try expect("published versions", applied.union(rejected).sorted(), is: published.sorted())
        try expect("events that were delivered or dropped", received.count + dropped, is: tracked)
        let fates = "\(applied.subtracting(reverted).count) applied, \(rejected.count) rejected"
        printer.headline("\(published.count) documents: \(fates), \(reverted.count) reverted · \(kills) SIGKILL")
        printer.write(printer.style.paint("\(tracked) events, \(received.count) delivered, \(dropped) dropped", .bold))
    }

    mutating func begin(_ title: String, _ words: String) throws {
        try Task.checkCancellation()
        chapter += 1
        printer.chapter("\(chapter). \(title)", words)
    }

    /// Compares a value found in a chapter with the claimed one.
    func expect<Value: Equatable>(_ what: String, _ found: Value, is expected: Value) throws(CommandFailure) {
        if found != expected { throw broken("\(what): expected \(expected), found \(found)") }
    }

    private func broken(_ reason: String) -> CommandFailure {
        let part = chapter > 0 ? "chapter \(chapter)" : "the summary"
        return CommandFailure(.findings, "\(part) does not show what it claims: \(reason)")
    }

    /// Polls until a value exists, for up to 60 s, which is far longer than needed on a busy machine.
    func wait<Value>(for what: String, _ look: () -> Value?) async throws -> Value {
        let end = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < end {
            if let found = look() { return found }
            try await SystemTime().sleep(for: .milliseconds(2))
        }
        throw broken("\(what) did not come within 60 s")
    }

    /// Replaces the document.
    mutating func publish(_ version: Int, _ bundles: [String], _ members: [String] = []) throws {
        try servers.publish(version, bundles, members)
        published.insert(version)
    }

    /// Starts a setup.
    /// - Parameters:
    ///   - name: The name of the setup's directories.
    ///   - pollInterval: The time between two fetches beside the stream; nil, the default, for fetches on request only,
    ///     and no stream.
    ///   - bundles: The bundles of the default document, version 0; none by default.
    /// - Returns: The setup.
    /// - Throws: If the setup cannot be created.
    mutating func start(
        _ name: String = "service", pollInterval: Duration? = nil, default bundles: [ConfigurationBundle] = []
    ) throws -> Service {
        var remote = RemoteConfiguration(endpoint: servers.documentURL)
        remote.pollInterval = pollInterval
        if pollInterval != nil { remote.streamEndpoint = "\(servers.documentURL)?stream" }
        remote.timeout = .seconds(60)
        var options = SetupOptions()
        options.cacheDirectory = "\(directory)/\(name)/cache"
        options.stateDirectory = "\(directory)/\(name)/state"
        options.experiments.exposureNamespaces = ["checkout"]
        options.log = log
        options.logLevel = .debug
        let (begin, applied) = (ContinuousClock.now, Locked<[Applied]>([]))
        let version = bundles.isEmpty ? nil : 0
        let setup = try Setup(remote: remote, default: bundles, version: version, options: options) { update in
            applied.withLock { $0.append((update, ContinuousClock.now - begin)) }
        }
        let service = Service(setup: setup, applied: applied)
        open.append(service)
        return service
    }

    /// Shuts a setup down, and adds its versions and dropped events to the totals.
    mutating func shutDown(_ service: Service) async {
        dropped += await service.setup.shutdown(timeout: .seconds(2)).dropped
        open.removeAll { $0.setup === service.setup }
        applied.formUnion(service.applied.withLock { $0 }.compactMap(\.update.version))
    }

    /// Fetches the document, and notes a rejected version.
    mutating func refresh(_ service: Service) async -> ConfigurationOutcome {
        let outcome = await service.setup.refresh()
        if outcome.kind == .rejected, let version = outcome.version { rejected.insert(version) }
        return outcome
    }

    /// Waits until a version was applied.
    func wait(for version: Int, _ state: ConfigurationState = .fetched, by service: Service) async throws -> Applied {
        try await wait(for: "version \(version)") {
            service.applied.withLock { $0.first { $0.update.version == version && $0.update.state == state } }
        }
    }

    mutating func track(_ count: Int, _ action: String, with tracker: Tracker?) {
        for _ in 0..<count { tracker?.track(Structured(category: "cart", action: action)) }
        tracked += count
    }

    /// Waits until trackers have sent their events, and returns the events that a collector has received.
    mutating func receive(from collector: DemoCollector, after trackers: Tracker?...) async throws -> [EventPayload] {
        for tracker in trackers { await tracker?.flush(timeout: .seconds(60)) }
        try Task.checkCancellation()
        let events = collector.take()
        received.formUnion(events.map { $0["eid"] ?? "?" })
        return events
    }
}

extension Duration {
    /// The duration in whole milliseconds.
    var milliseconds: Int { Int(self / .milliseconds(1)) }
}
