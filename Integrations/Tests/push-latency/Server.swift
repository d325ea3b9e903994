import Foundation
import TrackerEtcd
import TrackerFeatures
import TrackerRedis

/// A server of Debian, which keeps nothing, and how to publish to it.
final class Server {
    private static let key = "trackers.json"

    let name: String
    private let directory = NSTemporaryDirectory() + "/push-latency-\(UUID().uuidString)"
    private let process = Process()
    private let port = 20_000 + Int(getpid()) % 20_000
    // One for all, as for the setups of one process.
    private let transport = CurlTransport(maxConnections: 10_000, maxConnectionsPerHost: 10_000)

    init(_ name: String) throws {
        self.name = name
        guard ["redis", "etcd"].contains(name) else {
            throw Failure(description: "usage: push-latency redis|etcd [SETUPS [PUBLICATIONS]]")
        }
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let url = "http://127.0.0.1:\(port)"
        let peer = "http://127.0.0.1:\(port + 1)"
        if name == "redis" {
            process.executableURL = URL(filePath: "/usr/bin/redis-server")
            process.arguments = [
                "--port", "\(port)", "--dir", directory, "--save", "", "--logfile", "\(directory)/log",
            ]
        } else {
            process.executableURL = URL(filePath: "/usr/bin/etcd")
            process.arguments = [
                "--data-dir", directory, "--listen-client-urls", url, "--advertise-client-urls", url,
                "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer, "--initial-cluster",
                "default=\(peer)",
                "--log-level", "error", "--unsafe-no-fsync",
            ]
        }
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        try process.run()
        for _ in 0..<200 {
            if (try? publish(1)) != nil { return }
            usleep(50_000)
        }
        stop()
        throw Failure(description: "\(name) does not start")
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
        try? FileManager.default.removeItem(atPath: directory)
    }

    func source() -> any ConfigurationSource {
        name == "redis"
            ? RedisSource(RedisOptions(port: port), key: Self.key)
            : EtcdSource(EtcdOptions(endpoints: ["http://127.0.0.1:\(port)"]), key: Self.key, transport: transport)
    }

    /// Publishes a document of one feature and no tracker, by the server's own client.
    func publish(_ version: Int) throws {
        let document = """
            {"$schema":"http://iglucentral.com/schemas/com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1",\
            "configurationVersion":\(version),"configurationBundle":[],"features":{"checkout":{"enabled":true,\
            "variables":{"limit":{"value":\(version)},"banner":{"value":"\(String(repeating: "x", count: 900))"}}}}}
            """
        if name == "redis" {
            let commands = "SET \(Self.key) '\(document)'\nPUBLISH \(Self.key) '{\"version\":\(version)}'\n"
            try run("/usr/bin/redis-cli", ["-e", "-p", "\(port)"], input: commands)
        } else {
            setenv("ETCDCTL_API", "3", 1)
            try run("/usr/bin/etcdctl", ["--endpoints", "http://127.0.0.1:\(port)", "put", Self.key], input: document)
        }
    }

    private func run(_ program: String, _ arguments: [String], input: String) throws {
        let client = Process()
        let pipe = Pipe()
        client.executableURL = URL(filePath: program)
        client.arguments = arguments
        (client.standardInput, client.standardOutput, client.standardError) = (
            pipe, FileHandle.nullDevice, FileHandle.nullDevice
        )
        try client.run()
        try pipe.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try pipe.fileHandleForWriting.close()
        client.waitUntilExit()
        guard client.terminationStatus == 0 else { throw Failure(description: "\(program) cannot publish") }
    }
}
