import Foundation
import IntegrationTesting
import Testing
import TrackerConfig
import TrackerCore
import TrackerTesting

@testable import TrackerEtcd

/// Members of an etcd cluster of a test, on ports of their own.
final class EtcdServer {
    /// Whether this machine has etcd: `apt-get install etcd-server`.
    static let isInstalled = FileManager.default.isExecutableFile(atPath: "/usr/bin/etcd")

    let directory = TemporaryDirectory()
    /// The port of each member.
    let ports: [Int]
    private let peers: [Int]
    private let arguments: [String]
    private var processes: [Int: ServerProcess] = [:]
    private let transport = CurlTransport()

    /// Starts a cluster.
    /// - Parameters:
    ///   - count: The number of members; 1 by default.
    ///   - arguments: More arguments of each.
    /// - Throws: If it does not start.
    init(members count: Int = 1, _ arguments: [String] = []) async throws {
        ports = (0..<count).map { _ in CuttingProxy.freePort() }
        peers = (0..<count).map { _ in CuttingProxy.freePort() }
        self.arguments = arguments
        for member in 0..<count { try begin(member) }
        try await untilReady()
    }

    /// Starts a member again, with what is on disk.
    func start(_ member: Int = 0) async throws {
        try begin(member)
        try await untilReady()
    }

    /// Starts a member again, and does not wait for it.
    func begin(_ member: Int) throws {
        let (client, peer) = ("http://127.0.0.1:\(ports[member])", "http://127.0.0.1:\(peers[member])")
        // The members of a cluster compete for the processors, and must not elect a new leader for that.
        let (heartbeat, election) = ports.count == 1 ? ("20", "200") : ("100", "1000")
        let cluster = peers.enumerated().map { "m\($0)=http://127.0.0.1:\($1)" }.joined(separator: ",")
        processes[member] = try ServerProcess(
            "/usr/bin/etcd",
            [
                "--name", "m\(member)", "--data-dir", "\(directory.path)/\(member)", "--listen-client-urls", client,
                "--advertise-client-urls", client, "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer,
                "--initial-cluster", cluster, "--heartbeat-interval", heartbeat, "--election-timeout", election,
                "--log-level", "error", "--unsafe-no-fsync",
            ] + arguments)
    }

    private func untilReady() async throws {
        guard try await eventually({ await put("is-up", "1") }) else { throw CocoaError(.fileReadUnknown) }
    }

    /// Kills a member as a power failure would.
    func kill(_ member: Int = 0) {
        processes.removeValue(forKey: member)?.kill()
    }

    /// Sends a member a signal.
    func send(_ signal: Int32, to member: Int = 0) {
        processes[member]?.send(signal)
    }

    /// Options with which a source waits for the members as long as a busy machine needs.
    var options: EtcdOptions {
        var options = EtcdOptions(endpoints: ports.map { "http://127.0.0.1:\($0)" })
        options.timeout = .seconds(30)
        return options
    }

    /// Calls the first member that answers.
    /// - Returns: The answer; nil if there is none, or another status than 200.
    @discardableResult
    func ask(_ path: String, _ body: String, token: String? = nil) async -> [String: Any]? {
        for member in processes.keys.sorted() {
            let request = HTTPTransportRequest(
                method: "POST", url: "http://127.0.0.1:\(ports[member])\(path)",
                headers: token.map { [HTTPHeader(name: "Authorization", value: $0)] } ?? [], body: Array(body.utf8),
                timeout: .seconds(5), maxResponseSize: 50_000_000)
            guard let response = try? await transport.send(request), response.status == 200 else { continue }
            return try? JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any]
        }
        return nil
    }

    /// Writes a value.
    /// - Returns: Whether it is written.
    func put(_ key: String, _ value: String, token: String? = nil) async -> Bool {
        await ask("/v3/kv/put", "{\"key\": \"\(key.base64)\", \"value\": \"\(value.base64)\"}", token: token) != nil
    }

    /// Whether there is a value.
    func has(_ key: String) async -> Bool {
        await ask("/v3/kv/range", "{\"key\": \"\(key.base64)\"}")?["kvs"] != nil
    }

    /// The current revision.
    func revision() async -> String? {
        let header = await ask("/v3/kv/range", "{\"key\": \"\("x".base64)\"}")?["header"] as? [String: Any]
        return header?["revision"] as? String
    }

    func delete(_ key: String) async -> Bool {
        await ask("/v3/kv/deleterange", "{\"key\": \"\(key.base64)\"}") != nil
    }
}

extension String {
    var base64: String { Data(utf8).base64EncodedString() }
}
