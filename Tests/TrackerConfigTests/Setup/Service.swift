import Foundation
import TestSupport
import TrackerConfig
import TrackerFeatures
import TrackerTesting

/// A service that starts again and again over the same directories, with a clock, a network and a log of the test's own.
///
/// The network has two kinds of hosts: `config.example` answers what the test last served, all others are collectors and
/// take everything, or answer what the test says.
final class Service: Sendable {
    static let url = "https://config.example/trackers.json"

    private struct State: Sendable {
        var answer = ScriptedTransport.Answer.success(HTTPTransportResponse(status: 404))
        var collectors: [String: Int] = [:]
        var trace: [String] = []
        var updates: [ConfigurationUpdate] = []
        var outcomes: [ConfigurationOutcome] = []
        var settled: ConfigurationOutcome?
        var waiters: [CheckedContinuation<ConfigurationOutcome, Never>] = []
    }

    let directory = TemporaryDirectory()
    let transport = ScriptedTransport()
    let time = ManualTime()
    let log = MemoryLog()
    private let state = Locked(State())

    init() {
        // Weak, here and below: an update has the trackers, and a setup that holds its own updates by a closure or by its transport
        // is never released.
        transport.respond { [weak state] request in
            let answer = state?.withLock { state -> ScriptedTransport.Answer in
                if request.url.hasPrefix("https://config.example/") { return state.answer }
                let status = state.collectors.first { request.url.hasPrefix("https://\($0.key)/") }?.value
                return .success(HTTPTransportResponse(status: status ?? 200))
            }
            return answer ?? .success(HTTPTransportResponse(status: 503))
        }
    }

    /// What happened, in its order: `cached 1 [a]` for updates, `applied 2 [a]` and the like for outcomes.
    var trace: [String] { state.withLock { $0.trace } }

    var updates: [ConfigurationUpdate] { state.withLock { $0.updates } }

    var outcomes: [ConfigurationOutcome] { state.withLock { $0.outcomes } }

    var cacheDirectory: String { directory.file("cache") }

    var stateDirectory: String { directory.file("state") }

    /// Requests for the configuration.
    var fetches: [HTTPTransportRequest] { transport.requests.filter { $0.url.hasPrefix("https://config.example/") } }

    /// All events that collectors got, each by its parameters.
    var delivered: [[String: String]] { transport.requests.flatMap(\.events) }

    func serve(_ document: String, status: Int = 200, headers: [HTTPHeader] = []) {
        answer(.success(HTTPTransportResponse(status: status, headers: headers, body: Array(document.utf8))))
    }

    func serve(status: Int) {
        answer(.success(HTTPTransportResponse(status: status)))
    }

    /// Lets a collector answer so from now on.
    func collector(_ host: String, answers status: Int) {
        state.withLock { $0.collectors[host] = status }
    }

    func answer(_ answer: ScriptedTransport.Answer) {
        state.withLock { $0.answer = answer }
    }

    /// Leaves a document in the cache, as an earlier process would have.
    func cache(_ document: String, url: String = url, validators: DocumentValidators = DocumentValidators()) throws {
        try DiskCache(directory: cacheDirectory).store(
            CacheEntry(
                url: url, version: (try? Document(Array(document.utf8)).version) ?? 99, document: Array(document.utf8),
                validators: validators, fetchTime: Date(timeIntervalSince1970: 0.001)))
    }

    /// Starts; the options can be changed before.
    func start(
        _ url: String = url,
        default bundles: [ConfigurationBundle] = [],
        version: Int? = nil,
        configure: (inout SetupOptions) -> Void = { _ in },
        remote: (inout RemoteConfiguration) -> Void = { _ in },
        onSuccess: @escaping @Sendable (ConfigurationUpdate) -> Void = { _ in }
    ) throws -> Setup {
        let (configuration, options, told) = prepare(url, configure, remote, onSuccess)
        return try Setup(remote: configuration, default: bundles, version: version, options: options, onSuccess: told)
    }

    /// Starts with a default document.
    func start(
        default document: Document, version: Int? = nil, configure: (inout SetupOptions) -> Void = { _ in },
        remote: (inout RemoteConfiguration) -> Void = { _ in }
    ) throws -> Setup {
        let (configuration, options, told) = prepare(Self.url, configure, remote, { _ in })
        return try Setup(remote: configuration, default: document, version: version, options: options, onSuccess: told)
    }

    private func prepare(
        _ url: String, _ configure: (inout SetupOptions) -> Void, _ remote: (inout RemoteConfiguration) -> Void,
        _ onSuccess: @escaping @Sendable (ConfigurationUpdate) -> Void
    ) -> (RemoteConfiguration, SetupOptions, @Sendable (ConfigurationUpdate) -> Void) {
        var options = SetupOptions()
        options.cacheDirectory = cacheDirectory
        options.stateDirectory = stateDirectory
        options.transport = transport
        options.time = time
        options.log = log
        options.logLevel = .debug
        state.withLock { $0.settled = nil }
        options.onOutcome = { [weak state] outcome in
            let waiters = state?.withLock { state in
                state.trace.append(outcome.short)
                state.outcomes.append(outcome)
                if state.settled == nil { state.settled = outcome }
                defer { state.waiters = [] }
                return state.waiters
            }
            for waiter in waiters ?? [] { waiter.resume(returning: outcome) }
        }
        configure(&options)
        var configuration = RemoteConfiguration(endpoint: url)
        remote(&configuration)
        return (
            configuration, options,
            { [weak state] update in
                state?.withLock {
                    $0.trace.append("\(update.state) \(update.version.map { "\($0)" } ?? "nil") \(update.namespaces)")
                    $0.updates.append(update)
                }
                onSuccess(update)
            }
        )
    }

    /// How the first fetch of the latest start ended; waits for its end. A refresh would join it or make another.
    @discardableResult
    func settled() async -> ConfigurationOutcome {
        await withCheckedContinuation { continuation in
            let outcome = state.withLock { state in
                if state.settled == nil { state.waiters.append(continuation) }
                return state.settled
            }
            if let outcome { continuation.resume(returning: outcome) }
        }
    }

    /// Starts, and waits for the end of the first fetch.
    func started(
        _ url: String = url,
        default bundles: [ConfigurationBundle] = [],
        version: Int? = nil,
        configure: (inout SetupOptions) -> Void = { _ in },
        remote: (inout RemoteConfiguration) -> Void = { _ in },
        onSuccess: @escaping @Sendable (ConfigurationUpdate) -> Void = { _ in }
    ) async throws -> Setup {
        let setup = try start(
            url, default: bundles, version: version, configure: configure, remote: remote, onSuccess: onSuccess)
        await settled()
        return setup
    }

    /// Starts, waits for the first fetch, does something, and shuts down.
    @discardableResult
    func run(
        _ url: String = url,
        default bundles: [ConfigurationBundle] = [],
        version: Int? = nil,
        _ body: (Setup) async throws -> Void = { _ in }
    ) async throws -> ConfigurationOutcome {
        let setup = try await started(url, default: bundles, version: version)
        let outcome = await settled()
        try await body(setup)
        await setup.shutdown(timeout: .zero)
        return outcome
    }
}

extension ConfigurationOutcome {
    /// The outcome in a word or two, for comparisons.
    var short: String {
        let version = version.map { " \($0)" } ?? ""
        return switch kind {
        case .applied: "applied\(version) \(namespaces)"
        case .rejected: "rejected" + (configurationError.map { " \($0.code)" } ?? "")
        case .failed:
            "failed" + (fetchError.map { " \($0.code)" } ?? "") + (fetchError?.status.map { "(\($0))" } ?? "")
        default: "\(kind)\(version)\(isOtherContent ? " other" : "")"
        }
    }
}
