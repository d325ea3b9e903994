import IntegrationTesting
import Logging
import ServiceLifecycle
import Testing
import TrackerConfig
import TrackerCore
import TrackerLifecycle
import TrackerTesting

@Suite("SetupService", .timeLimit(.minutes(10)))
struct SetupServiceTests {
    /// A service that tracks an event when it is shut down, as a server's last request does.
    private struct LastRequest: Service {
        let setup: Setup

        func run() async throws {
            try await gracefulShutdown()
            setup.tracker("shop")?.track(Structured(category: "request", action: "last"))
        }
    }

    private struct FailingService: Service {
        struct Failure: Error {}

        func run() async throws { throw Failure() }
    }

    /// A transport that answers nothing until its task is cancelled.
    private struct HangingTransport: HTTPTransport {
        func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
            // It returns early if the task is cancelled.
            try? await Task.sleep(for: .seconds(3600))
            throw HTTPTransportError(.cancelled, reason: "cancelled")
        }
    }

    /// A service that waits for the shutdown, and notes that it runs.
    private struct StartSignal: Service {
        let started: AsyncStream<Void>.Continuation

        func run() async throws {
            started.finish()
            try await gracefulShutdown()
        }
    }

    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private func group(_ services: [any Service]) -> ServiceGroup {
        ServiceGroup(configuration: ServiceGroupConfiguration(services: services, logger: logger))
    }

    /// Runs services, and shuts them down as soon as they run.
    private func runAndShutDown(_ services: [any Service]) async throws {
        let (started, continuation) = AsyncStream<Void>.makeStream()
        let group = group(services + [StartSignal(started: continuation)])
        async let run: Void = group.run()
        for await _ in started {}
        await group.triggerGracefulShutdown()
        try await run
    }

    @Test("at the graceful shutdown the events of services that end before it are sent")
    func drain() async throws {
        let service = try TestService()
        service.tracker.track(Structured(category: "request", action: "first"))
        try await runAndShutDown([SetupService(service.setup, logger: logger), LastRequest(setup: service.setup)])
        #expect(service.collector.events.map(\.parameters).compactMap { $0["se_ac"] }.sorted() == ["first", "last"])
        #expect(service.setup.status.isStopped)
    }

    @Test("if another service fails, what was tracked is sent too")
    func failure() async throws {
        let service = try TestService()
        service.tracker.track(Structured(category: "request", action: "first"))
        await #expect(throws: FailingService.Failure.self) {
            try await group([SetupService(service.setup), FailingService()]).run()
        }
        #expect(service.setup.status.isStopped)
        #expect(service.collector.events.map(\.parameters).compactMap { $0["se_ac"] } == ["first"])
    }

    @Test("a collector that does not answer delays the shutdown for no longer than the timeout")
    func bound() async throws {
        let service = try TestService { $0.transport = HangingTransport() }
        service.tracker.track(Structured(category: "request", action: "first"))
        // The collector would answer after an hour.
        try await runAndShutDown([SetupService(service.setup, drainTimeout: .milliseconds(300))])
        #expect(service.tracker.counters.sent == 0)
    }
}
