import Foundation
import Testing
import TrackerTesting

@testable import TrackerConfig
@testable import TrackerFeatures

@Suite("Where a service keeps its state")
struct StateLocationTests {
    private let directory = TemporaryDirectory()

    private var environment: [String: String] { ["XDG_STATE_HOME": directory.path] }

    @Test("below the standard directory each service has one of its own, by its name")
    func hasOwnDirectory() throws {
        var options = SetupOptions()
        options.serviceName = "orders/eu"
        let location = try StateLocation(options, environment: environment)
        #expect(location.path == "\(directory.path)/tracker-config/orders%2Feu")
        options.serviceName = nil
        let executable = try #require(CommandLine.arguments.first?.split(separator: "/").last)
        #expect(
            try StateLocation(options, environment: environment).path?.hasSuffix(
                "/\(ServiceName.component(String(executable)))") == true)
    }

    @Test("a directory that the service names is its own, as it is")
    func takesNamedDirectory() throws {
        var options = SetupOptions()
        options.stateDirectory = "/var/lib/orders"
        let location = try StateLocation(options, environment: environment)
        #expect(location.path == "/var/lib/orders")
    }

    @Test("an empty name is an error with its place")
    func refusesEmptyNames() {
        var options = SetupOptions()
        options.serviceName = ""
        let error = #expect(throws: ConfigurationError.self) { try StateLocation(options, environment: environment) }
        #expect(error?.place == "options.serviceName")
    }
}
