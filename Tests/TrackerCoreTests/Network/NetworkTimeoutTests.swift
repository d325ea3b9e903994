import Foundation
import TestSupport
import Testing
import TrackerCore
import TrackerLoopbackServer
import TrackerTesting

@Suite("network.timeout and network.certificateFile", .endsWhenItHangs)
struct NetworkTimeoutTests {
    private let rig = Rig()
    private let directory = TemporaryDirectory()

    @Test("a request has the tracker's time, built in 30 s", arguments: [nil, 5], NetworkConfiguration.Method.allCases)
    func usesTimeout(seconds: Int?, method: NetworkConfiguration.Method) async throws {
        let tracker = try await rig.tracker {
            $0.network?.timeout = seconds.map { .seconds($0) }
            $0.network?.method = method
        }
        let other = try await rig.tracker("other")
        tracker.track(1...1)
        await tracker.flush()
        other.track(1...1)
        await other.flush()
        #expect(rig.transport.requests.map(\.timeout) == [.seconds(seconds ?? 30), .seconds(30)])
    }

    /// A tracker that gives a real collector a second for each request.
    private func hurried(_ server: LoopbackServer) throws -> Tracker {
        let network = NetworkConfiguration { ($0.endpoint, $0.timeout) = (server.url, .seconds(1)) }
        return try Tracker(
            ConfigurationBundle(namespace: "ns", network: network), pipeline: EventPipeline(stateDirectory: nil))
    }

    @Test("a collector that does not answer in the time fails the request, and the event stays")
    func endsRequests() async throws {
        let isOver = DispatchSemaphore(value: 0)
        let server = try LoopbackServer { _ in
            isOver.wait()
            return .drop
        }
        let tracker = try hurried(server)
        tracker.track(1...1)
        try await waitUntil("a request has ended") { await tracker.status.lastResponse != nil }
        #expect(await tracker.status.lastResponse == "no whole answer within 1.0 seconds")
        #expect(tracker.counters.stored == 1)
        await tracker.pipeline.shutdown(timeout: .zero)
        for _ in 0..<tracker.counters.requests { isOver.signal() }
    }

    @Test("a collector that sends the head of a success and never the body gets an event once")
    func takesTheHead() async throws {
        let isOver = DispatchSemaphore(value: 0)
        let server = try LoopbackServer { _ in .stream(status: 200) { _ in isOver.wait() } }
        let tracker = try hurried(server)
        tracker.track(1...1)
        #expect(await tracker.flush(timeout: .seconds(600)).delivery == Delivery(sent: 1, stored: 0))
        let counters = tracker.counters
        #expect(counters.incompleteResponses == 1)
        // On a busy machine the head may come too late: such a request has delivered nothing, and is sent again.
        #expect(counters.requestsByCode.filter { $0.key != "timeout" } == ["200": 1])
        await tracker.pipeline.shutdown(timeout: .zero)
        for _ in 0..<counters.requests { isOver.signal() }
    }

    @Test("a time that is outside its bounds becomes the nearest, and one that is no time is an error")
    func checksTimeouts() async throws {
        let tracker = try await rig.tracker { $0.network?.timeout = .milliseconds(1) }
        #expect(tracker.network.timeout == .seconds(1))
        #expect(rig.log.contains("network.timeout: 0.001 is outside 1…600; 1 is used"))
        try tracker.network.set(\.timeout, to: .seconds(3600))
        #expect(tracker.network.timeout == .seconds(600))
        for timeout in [Duration.zero, .seconds(-5)] {
            let error = #expect(throws: ConfigurationError.self) {
                try tracker.network.set(\.timeout, to: timeout)
            }
            #expect(error?.place == "network.timeout")
            var bundle = ConfigurationBundle.sample("other")
            bundle.network?.timeout = timeout
            let other = #expect(throws: ConfigurationError.self) { try Tracker(bundle, pipeline: rig.pipeline) }
            #expect(other?.place == "network.timeout")
        }
        #expect(tracker.network.timeout == .seconds(600))
    }

    @Test("a file of certificates that cannot be read is an error with the place, wherever code sets it")
    func checksCertificateFiles() async throws {
        let missing = directory.file("none.pem")
        var bundle = ConfigurationBundle.sample("other")
        bundle.network?.certificateFile = missing
        let made = #expect(throws: ConfigurationError.self) { try Tracker(bundle, pipeline: rig.pipeline) }
        #expect(
            "\(made.map(\.description) ?? "")"
                == "network.certificateFile: cannot open \(missing): No such file or directory")
        let tracker = try await rig.tracker()
        let set = #expect(throws: ConfigurationError.self) {
            try tracker.network.set(\.certificateFile, to: directory.path)
        }
        #expect(set?.place == "network.certificateFile")
        #expect(throws: ConfigurationError.self) {
            try tracker.set(
                field: "network.certificateFile", to: JSONNode(.string(missing)))
        }
        #expect(tracker.network.certificateFile == nil)
    }

    @Test("a file of certificates that vanishes later changes no setting and fails no reconfiguration")
    func keepsCertificateFiles() async throws {
        directory.write("-----BEGIN CERTIFICATE-----", to: "ca.pem")
        let file = directory.file("ca.pem")
        let tracker = try await rig.tracker { $0.network?.certificateFile = file }
        try FileManager.default.removeItem(atPath: file)
        try tracker.settings.set(\.appID, to: "shop")
        #expect(tracker.settings.appID == "shop")
        tracker.track(1...1)
        await tracker.flush()
        #expect(rig.transport.requests.map(\.certificateFile) == [file])
    }
}
