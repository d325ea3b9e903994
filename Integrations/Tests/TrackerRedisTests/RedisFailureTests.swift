import Foundation
import IntegrationTesting
import Testing
import TrackerFeatures
import TrackerTesting

@testable import TrackerRedis

@Suite("RedisAssignmentStore, failures", .timeLimit(.minutes(10)))
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

    @Test("while the server is gone, calls fail without the timeout, and work again when it is there")
    func gone() async throws {
        let server = try await RedisServer()
        defer { server.kill() }
        let store = RedisAssignmentStore(server.options)
        _ = try await store.assignments(of: user)
        server.kill()
        // With a timeout, the code would be that of one.
        for _ in 0..<20 { #expect(await code { _ = try await store.assignments(of: user) } == .disconnected) }
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
        // One after the other, the calls would take longer than the time limit of this test.
        options.timeout = .seconds(2)
        let store = RedisAssignmentStore(options)
        #expect(try await eventually { await code { _ = try await store.assignments(of: user) } == nil })
        server.send(SIGSTOP)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<400 {
                group.addTask { #expect(await code { _ = try await store.assignments(of: user) } == .timeout) }
            }
        }
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
        let units = 800
        let directory = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let program = directory.appending(path: "assign-variants").path
        // A file is there when its process has ended with success.
        let script = #"output=$1; shift; "$0" "$@" > "$output.new" && mv "$output.new" "$output""#
        let files = (0..<8).map { "\(server.directory.path)/output-\($0)" }
        let processes = try files.enumerated().map { number, file in
            try ServerProcess(
                "/bin/sh", ["-c", script, program, file, server.socket, "fleet", "\(number)", "\(units)"])
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
        try #require(try await eventually { files.allSatisfy { FileManager.default.fileExists(atPath: $0) } })
        withExtendedLifetime(processes) {}
        let outputs = try files.map { file in
            try String(contentsOfFile: file, encoding: .utf8).split(whereSeparator: \.isWhitespace)
        }
        #expect(outputs[0].count == units)
        for output in outputs { #expect(output == outputs[0]) }
        // Which processes were the first somewhere, the scheduler decides.
        #expect(Set(outputs[0]).isSubset(of: (0..<8).map { "v\($0)" }))
    }
}
