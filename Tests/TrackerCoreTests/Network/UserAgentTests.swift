import TestSupport
import Testing
import TrackerCore

@Suite("User-Agent of requests to collectors", .endsWhenItHangs)
struct UserAgentTests {
    private static let text = "tracker-config/0.4.0 (swift-srv-0.4.0)"
    private let rig = Rig()

    private func userAgents(_ configure: (inout NetworkConfiguration) -> Void) async throws -> [String] {
        let tracker = try await rig.tracker { configure(&$0.network!) }
        tracker.track(1...1)
        await tracker.flush()
        return rig.transport.requests.flatMap(\.headers).filter { $0.name.lowercased() == "user-agent" }.map(\.value)
    }

    @Test(
        "requests name the SDK and its version, whatever the transport", arguments: NetworkConfiguration.Method.allCases
    )
    func namesTheSDK(method: NetworkConfiguration.Method) async throws {
        #expect(try await userAgents { $0.method = method } == [Self.text])
        #expect(Self.text.contains("(\(TrackerVersion.current))"))
    }

    @Test("request headers replace it in any case, and others leave it", arguments: ["User-Agent", "user-agent"])
    func isReplaced(name: String) async throws {
        let headers = [HTTPHeader(name: "X-Key", value: "k"), HTTPHeader(name: name, value: "acme/1")]
        #expect(try await userAgents { $0.requestHeaders = headers } == ["acme/1"])
        #expect(rig.transport.requests.first?.header("X-Key") == "k")
    }
}
