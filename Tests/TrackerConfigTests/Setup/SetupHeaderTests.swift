import TestSupport
import Testing
import TrackerTesting

@testable import TrackerConfig
@testable import TrackerFeatures

@Suite("Headers that a programmer gives")
struct SetupHeaderTests {
    private let directory = TemporaryDirectory()

    private func setUp(_ remote: [HTTPHeader], _ collector: [HTTPHeader]) throws {
        var configuration = RemoteConfiguration(endpoint: "http://127.0.0.1:9/c.json")
        configuration.headers = remote
        var options = SetupOptions()
        options.cacheDirectory = directory.path
        options.stateDirectory = directory.path
        options.transport = ScriptedTransport()
        let bundle = ConfigurationBundle(
            namespace: "a", network: NetworkConfiguration { $0.requestHeaders = collector })
        _ = try Setup(remote: configuration, default: [bundle], options: options)
    }

    @Test("one that would be two lines, or has no name, is refused with its place, also without an endpoint")
    func refuses() {
        for bad in [
            HTTPHeader(name: "X", value: "a\r\nY: b"), HTTPHeader(name: "", value: "a"),
            HTTPHeader(name: "X: Y", value: "a"), HTTPHeader(name: "X\n", value: "a"),
        ] {
            let remote = #expect(throws: ConfigurationError.self) { try setUp([bad], []) }
            #expect(remote?.place == "remote.headers")
            let collector = #expect(throws: ConfigurationError.self) { try setUp([], [bad]) }
            #expect(collector?.place == "default[0].network.requestHeaders")
        }
        #expect(throws: Never.self) {
            try setUp([HTTPHeader(name: "X-A", value: "b: c")], [HTTPHeader(name: "Authorization", value: "Bearer x")])
        }
    }
}
