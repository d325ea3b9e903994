import Foundation
import IntegrationTesting
import Testing
import TrackerConfig

@testable import TrackerRedis

@Suite("RedisAssignmentStore, failures")
struct RedisFailureTests {
    private let user = ExperimentUnit(name: "userId", id: "u-1")

    private func code(_ body: () async throws -> Void) async -> RedisError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? RedisError)?.code
        }
    }

    @Test("a server that was restarted is connected to again, without a failed call")
    func restart() async throws {
        let server = try await RedisServer()
        defer { server.kill() }
        let store = RedisAssignmentStore(server.options)
        let assignment = StickyAssignment(unit: user, experiment: "a", variant: "red", date: Date())
        try await store.save([assignment])
        for _ in 0..<3 {
            server.kill()
            try await server.start()
            #expect(try await store.assignments(of: user).map(\.variant) == ["red"])
        }
    }

    @Test("while the server is gone, calls fail at once, and work again when it is there")
    func gone() async throws {
        let server = try await RedisServer()
        defer { server.kill() }
        let store = RedisAssignmentStore(server.options)
        _ = try await store.assignments(of: user)
        server.kill()
        let start = ContinuousClock.now
        for _ in 0..<100 { #expect(await code { _ = try await store.assignments(of: user) } == .disconnected) }
        // With a timeout each, they would take half an hour.
        #expect(ContinuousClock.now - start < .seconds(25))
        try await server.start()
        #expect(await code { _ = try await store.assignments(of: user) } == nil)
    }

    @Test("for the delay after a failed connection, no new one is tried")
    func delay() async throws {
        let server = try await RedisServer()
        defer { server.kill() }
        var options = server.options
        options.reconnectDelay = .seconds(3600)
        let store = RedisAssignmentStore(options)
        server.kill()
        #expect(await code { _ = try await store.assignments(of: user) } == .disconnected)
        try await server.start()
        #expect(await code { _ = try await store.assignments(of: user) } == .disconnected)
    }

    @Test("a server that stands still fails calls after the timeout, and all of those that wait together")
    func hang() async throws {
        let server = try await RedisServer()
        defer { server.kill() }
        var options = server.options
        options.timeout = .milliseconds(200)
        let store = RedisAssignmentStore(options)
        #expect(try await eventually { await code { _ = try await store.assignments(of: user) } == nil })
        server.send(SIGSTOP)
        let start = ContinuousClock.now
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<400 {
                group.addTask { #expect(await code { _ = try await store.assignments(of: user) } == .timeout) }
            }
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        // One after the other, they would take 80 s.
        #expect(0.19...40 ~= seconds, "it took \(seconds) s")
        server.send(SIGCONT)
        #expect(try await eventually { await code { _ = try await store.assignments(of: user) } == nil })
    }

    @Test("a connection that the server closes while a call writes does not end the process")
    func brokenPipe() async throws {
        let server = try await RedisServer()
        defer { server.kill() }
        let store = RedisAssignmentStore(server.options)
        // More than a socket's buffer holds, so that the write fails and not the read.
        let assignments = (0..<20_000).map {
            StickyAssignment(
                unit: ExperimentUnit(name: "userId", id: "u-\($0)"), experiment: "a", variant: "red", date: Date())
        }
        _ = try await store.assignments(of: user)
        let save = Task { try await store.save(assignments) }
        server.kill()
        // The call fails, or succeeded before.
        _ = await save.result
        try await server.start()
        try await store.save(assignments)
        #expect(try await store.assignments(of: assignments[19_999].unit).map(\.variant) == ["red"])
    }

    @Test(
        "8 processes agree on the variants of units that they assign at once, and while the server is killed and restarted"
    )
    func fleet() async throws {
        let server = try await RedisServer()
        defer { server.kill() }
        let units = 2000
        let processes = try (0..<8).map { number in
            let process = Process()
            let output = Pipe()
            let directory = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            process.executableURL = directory.appending(path: "assign-variants")
            process.arguments = [server.socket, "fleet", "\(number)", "\(units)"]
            process.standardOutput = output
            try process.run()
            return (process, output)
        }
        for round in 1...3 {
            #expect(
                try await eventually {
                    guard case .integer(let size)? = try server.ask("DBSIZE") else { return false }
                    return size > round * units / 5
                })
            server.kill()
            try await server.start()
        }
        let outputs = try processes.map { process, output in
            let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
            return text.split(whereSeparator: \.isWhitespace)
        }
        #expect(outputs[0].count == units)
        for output in outputs { #expect(output == outputs[0]) }
        // Which processes were the first somewhere, the scheduler decides.
        #expect(Set(outputs[0]).isSubset(of: (0..<8).map { "v\($0)" }))
    }
}
