import Foundation
import IntegrationTesting
import TrackerTesting

@testable import TrackerRedis

/// A redis-server of a test, on a socket of its own, which keeps everything on disk.
final class RedisServer {
    let directory: TemporaryDirectory
    let socket: String
    private let arguments: [String]
    private var process: ServerProcess?

    /// Starts a server.
    /// - Parameter arguments: More of its arguments.
    /// - Throws: If it does not start.
    init(_ arguments: [String] = []) async throws {
        directory = TemporaryDirectory()
        socket = "\(directory.path)/redis.sock"
        self.arguments = arguments
        try await start()
    }

    deinit {
        kill()
    }

    /// Starts the server again, with what is on disk.
    func start() async throws {
        process = try ServerProcess(
            "/usr/bin/redis-server",
            [
                "--port", "0", "--unixsocket", socket, "--dir", directory.path, "--save", "", "--appendonly", "yes",
                "--appendfsync", "always", "--logfile", "\(directory.path)/log",
            ] + arguments)
        guard try await eventually({ try ask("PING") == .text("PONG") }) else { throw CocoaError(.fileReadUnknown) }
    }

    /// Options with which a store waits for the server as long as a busy machine needs, and connects again at once.
    var options: RedisOptions {
        var options = RedisOptions(unixSocket: socket)
        (options.timeout, options.reconnectDelay) = (.seconds(30), .zero)
        return options
    }

    /// Kills the server as a power failure would.
    func kill() {
        process?.kill()
    }

    /// Sends the server a signal.
    func send(_ signal: Int32) {
        process?.send(signal)
    }

    /// The answer to one command; nil if the server is not there.
    func ask(_ command: String...) throws -> RedisReply? { try ask(command) }

    /// The answer to one command; nil if the server is not there.
    func ask(_ command: [String]) throws -> RedisReply? {
        var options = options
        if let index = arguments.firstIndex(of: "--requirepass") { options.password = arguments[index + 1] }
        do throws(RedisError) {
            return try RedisConnection.connect(options).send([command]).first
        } catch {
            return nil
        }
    }

    /// The bytes that the server has sent.
    func sentBytes() throws -> Int { try information("stats", "total_net_output_bytes:") }

    /// How often a command was called.
    func count(of command: String) throws -> Int { try information("commandstats", "cmdstat_\(command):calls=") }

    private func information(_ section: String, _ start: String) throws -> Int {
        guard case .text(let text)? = try ask("INFO", section), let place = text.range(of: start) else { return 0 }
        return Int(text[place.upperBound...].prefix { $0.isNumber }) ?? 0
    }
}
