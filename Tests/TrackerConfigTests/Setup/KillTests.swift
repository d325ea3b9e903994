import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerCore
import TrackerTesting

/// What a killed process leaves to the next one, with setups; `EventLogTests` kills at any moment.
@Suite("A process that is killed", .endsWhenItHangs)
struct KillTests {
    static let bundle = ConfigurationBundle(namespace: "a", network: NetworkConfiguration(endpoint: "c.example"))
    private let service = Service()

    @Test(
        "after track has returned, SIGKILL does not lose the event: another process of the service sends it", .mayBlock)
    func survives() async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) { [directory = service.directory.path as String] in
            let transport = ScriptedTransport()
            var options = SetupOptions()
            (options.cacheDirectory, options.stateDirectory) = ("\(directory)/cache", "\(directory)/state")
            (options.serviceName, options.transport) = ("shop", transport)
            let setup = try Setup(
                remote: RemoteConfiguration(endpoint: Service.url), default: [KillTests.bundle], options: options)
            await setup.refresh()
            // The collector answers nothing before the kill.
            transport.hold()
            let ids = (1...20).map { setup.track(Structured(category: "c", action: "\($0)"), to: "a") }
            precondition(!ids.contains { $0 == nil })
            kill(getpid(), SIGKILL)
        }
        let setup = try await service.started(default: [Self.bundle], configure: { $0.serviceName = "shop" })
        try await waitUntil("another process has sent the events") {
            await setup.tracker("a")?.flush()
            // A process that another test starts may have inherited the lock for a moment.
            if service.delivered.count < 20 { service.time.advance(by: .seconds(30)) }
            return service.delivered.count >= 20
        }
        #expect(service.delivered.map { $0["se_ac"] } == (1...20).map { "\($0)" })
        await setup.shutdown(timeout: .zero)
    }
}
