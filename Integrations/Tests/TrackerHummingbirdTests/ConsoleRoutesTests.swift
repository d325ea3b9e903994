import FoundationEssentials
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import IntegrationTesting
import Testing
import TrackerConfig
import TrackerConsole
import TrackerHummingbird
import TrackerHummingbirdConsole
import TrackerTesting

@Suite("Console, health and metrics", .timeLimit(.minutes(10)))
struct ConsoleRoutesTests {
    private let token: HTTPFields = [.authorization: "Bearer secret"]

    private func application(_ service: TestService) -> some ApplicationProtocol {
        var options = ConsoleOptions()
        (options.token, options.allowsChanges) = ("secret", true)
        let router = Router(context: TrackingRequestContext.self, options: .autoGenerateHeadEndpoints)
        router.addConsole(WebConsole(service.setup, options: options))
        router.addHealthAndMetrics(service.setup)
        return Application(router: router)
    }

    @Test("the console answers under its own rules, and takes changes")
    func console() async throws {
        let service = try TestService(document: #""features": {"shipping": {"variables": {"days": {"value": 3}}}}"#)
        await service.setup.refresh()
        try await application(service).test(.ahc()) { client in
            let page = try await client.execute(uri: "/console/", method: .get)
            #expect(page.status == .ok)
            #expect(String(buffer: page.body).contains("<script nonce="))
            #expect(try await client.execute(uri: "/console/status", method: .get).status == .unauthorized)
            #expect(try await client.execute(uri: "/console/status", method: .get, headers: token).status == .ok)
            let path = "/console/features/shipping/variables/days"
            let headers: HTTPFields = [.authorization: "Bearer secret", .contentType: "application/json"]
            func put(_ body: String) async throws -> TestResponse {
                try await client.execute(uri: path, method: .put, headers: headers, body: ByteBuffer(string: body))
            }
            // The address of a request is not its author.
            #expect(try await put(#"{"value": 5}"#).status == .badRequest)
            let change = try await put(#"{"value": 5, "by": "dana"}"#)
            #expect(change.status == .ok, "\(String(buffer: change.body))")
            #expect(service.setup.features.value("shipping", variable: "days", default: 0) == 5)
            #expect(service.setup.features.overrides.entries.first?.by == "dana")
            let large = ByteBuffer(repeating: 0x20, count: 70_000)
            let refused = try await client.execute(uri: path, method: .put, headers: headers, body: large)
            #expect(refused.status == .contentTooLarge)
            #expect(try await client.execute(uri: "/console/nothing", method: .get, headers: token).status == .notFound)
        }
    }

    @Test("behind the host's login the console needs no token, and its author is the user of the login")
    func login() async throws {
        let service = try TestService(document: #""features": {"shipping": {"variables": {"days": {"value": 3}}}}"#)
        await service.setup.refresh()
        var options = ConsoleOptions()
        options.allowsChanges = true
        let router = Router(context: TrackingRequestContext.self)
        router.addConsole(WebConsole(service.setup, options: options)) { request, _ in request.headers[.login] }
        try await Application(router: router).test(.router) { client in
            let host: HTTPFields = [.init("Host")!: "orders.example.com"]
            let login: HTTPFields = [
                .init("Host")!: "orders.example.com", .login: "dana", .contentType: "application/json",
            ]
            #expect(try await client.execute(uri: "/console/", method: .get, headers: host).status == .forbidden)
            #expect(try await client.execute(uri: "/console/", method: .get, headers: login).status == .ok)
            let status = try await client.execute(uri: "/console/status?samples=", method: .get, headers: login)
            #expect(try JSONDecoder().decode(JSONValue.self, from: Data(buffer: status.body))["author"] == "dana")
            let change = try await client.execute(
                uri: "/console/features/shipping/variables/days", method: .put, headers: login,
                body: ByteBuffer(string: #"{"value": 5, "by": "eve"}"#))
            #expect(change.status == .ok)
            #expect(service.setup.features.overrides.entries.map(\.by) == ["dana"])
        }
        await service.setup.shutdown(timeout: .zero)
    }

    @Test("the console is at the path of its options, at the root too", arguments: ["/ops", "admin/tracking/", "/"])
    func path(option: String) async throws {
        let service = try TestService()
        var options = ConsoleOptions()
        (options.token, options.path) = ("secret", option)
        let console = WebConsole(service.setup, options: options)
        let router = Router()
        router.addConsole(console)
        try await Application(router: router).test(.router) { client in
            #expect(try await client.execute(uri: "\(console.path)/", method: .get).status == .ok)
            let status = "\(console.path)/status"
            #expect(try await client.execute(uri: status, method: .get, headers: token).status == .ok)
            let elsewhere = try await client.execute(uri: "/console/status", method: .get, headers: token)
            #expect(elsewhere.status == .notFound)
        }
        await service.setup.shutdown(timeout: .zero)
    }

    @Test("health and metrics need no token, and any name of the host will do")
    func probes() async throws {
        let service = try TestService()
        try await application(service).test(.ahc()) { client in
            let health = try await client.execute(uri: "/health", method: .get)
            #expect(health.status == .ok)
            #expect(
                try JSONDecoder().decode(JSONValue.self, from: Data(buffer: health.body))["lines"]?.array?.isEmpty
                    == false)
            let metrics = try await client.execute(uri: "/metrics", method: .get, headers: [.accept: "text/plain"])
            #expect(metrics.status == .ok)
            #expect(String(buffer: metrics.body).contains("trackerconfig_healthy 1"))
            #expect(try await client.execute(uri: "/console/metrics", method: .get).status == .unauthorized)
            await service.setup.shutdown(timeout: .zero)
            #expect(try await client.execute(uri: "/health", method: .get).status == .serviceUnavailable)
        }
    }

    @Test("a strict probe fails while a tracker fails")
    func strict() async throws {
        let service = try TestService()
        service.collector.fail(.status(500))
        service.tracker.track(Structured(category: "a", action: "b"))
        #expect(try await eventually { service.setup.status.failing == ["shop"] })
        try await application(service).test(.ahc()) { client in
            let probe = try await client.execute(uri: "/health", method: .get)
            #expect(probe.status == .ok)
            let strictProbe = try await client.execute(uri: "/health?strict", method: .get)
            #expect(strictProbe.status == .serviceUnavailable)
        }
        await service.setup.shutdown(timeout: .zero)
    }
}

extension Data {
    fileprivate init(buffer: ByteBuffer) {
        self = Data(buffer.readableBytesView)
    }
}

extension HTTPField.Name {
    fileprivate static let login = Self("X-Login")!
}
