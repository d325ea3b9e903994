import Foundation
import IntegrationTesting
import TrackerTesting

@testable import TrackerRedis

/// A redis-server of a test, on a socket of its own, which keeps everything on disk.
final class RedisServer {
    let directory: TemporaryDirectory
    let socket: String
    private let arguments: [String]
    private var process = Process()

    /// Starts a server.
    /// - Parameter arguments: More of its arguments.
    /// - Throws: If it does not start.
    init(_ arguments: [String] = []) async throws {
        directory = TemporaryDirectory()
        socket = "\(directory.path)/redis.sock"
        self.arguments = arguments
        try await start()
    }

    /// Starts a node of Redis Cluster, whose bus has a port although the server has none.
    /// - Parameter ports: The ports to choose from, below those that the system gives away by itself.
    /// - Returns: The server.
    /// - Throws: If it does not start; one whose port another program has ends at once, and is followed by another.
    static func node(ports: Range<Int> = 20_000..<30_000) async throws -> RedisServer {
        for _ in 0..<9 {
            let port = Int.random(in: ports)
            if let server = try? await RedisServer(["--cluster-enabled", "yes", "--cluster-port", "\(port)"]) {
                return server
            }
        }
        throw CocoaError(.fileReadUnknown)
    }

    deinit {
        kill()
    }

    /// Starts the server again, with what is on disk.
    func start() async throws {
        process = Process()
        process.executableURL = URL(filePath: "/usr/bin/redis-server")
        process.arguments =
            [
                "--port", "0", "--unixsocket", socket, "--dir", directory.path, "--save", "", "--appendonly", "yes",
                "--appendfsync", "always", "--logfile", "\(directory.path)/log",
            ] + arguments
        try process.run()
        let isOver = try await eventually { try !process.isRunning || ask("PING") == .text("PONG") }
        guard isOver, process.isRunning else { throw CocoaError(.fileReadUnknown) }
    }

    /// Kills the server as a power failure would.
    func kill() {
        guard process.isRunning else { return }
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Sends the server a signal.
    func send(_ signal: Int32) {
        Glibc.kill(process.processIdentifier, signal)
    }

    /// The answer to one command; nil if the server is not there.
    func ask(_ command: String...) throws -> RedisReply? {
        var options = RedisOptions(unixSocket: socket)
        if let index = arguments.firstIndex(of: "--requirepass") { options.password = arguments[index + 1] }
        do throws(RedisError) {
            return try RedisConnection.connect(options).send([command]).first
        } catch {
            return nil
        }
    }
}
