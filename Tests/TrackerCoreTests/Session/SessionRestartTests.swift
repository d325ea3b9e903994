import TestSupport
import Testing
import TrackerTesting

@testable import TrackerCore

@Suite("a session over a restart", .endsWhenItHangs)
struct SessionRestartTests {
    private let directory = TemporaryDirectory()

    /// Runs one process's life: some events, a shutdown, and the sessions that the events carried.
    private func live(
        events: Int = 2, isContinued: Bool = false, later: Duration = .zero,
        starts: Locked<[SessionStart]> = Locked([])
    ) async throws -> [JSONValue] {
        let rig = Rig(stateDirectory: directory.path, seed: UInt64.random(in: 1...9_999_999))
        rig.time.advance(by: later)
        let tracker = try await rig.tracker {
            $0.tracker?.sessionContext = true
            $0.session = SessionConfiguration {
                $0.foregroundTimeout = .seconds(60)
                $0.continueSessionOnRestart = isContinued
            }
        }
        tracker.session.onStart { start in starts.withLock { $0.append(start) } }
        if events > 0 { tracker.track(1...events) }
        await rig.pipeline.shutdown(timeout: .seconds(5))
        return rig.events.compactMap { $0.entity("client_session") }
    }

    @Test("the user and the count of sessions go on, the session itself is a new one")
    func beginsAnew() async throws {
        let first = try #require(try await live().last)
        let starts = Locked<[SessionStart]>([])
        let second = try #require(try await live(starts: starts).first)
        #expect(second["userId"] == first["userId"])
        #expect(second["sessionId"] != first["sessionId"])
        #expect(second["previousSessionId"] == first["sessionId"])
        #expect(second["sessionIndex"] == 2)
        #expect(second["eventIndex"] == 1)
        let start = try #require(starts.withLock { $0 }.first)
        #expect(starts.withLock { $0.count } == 1)
        #expect((start.index, start.id) == (2, second["sessionId"]?.string))
        #expect(start.previousID == first["sessionId"]?.string)
    }

    @Test("where the settings say so, a session that is young enough goes on")
    func goesOn() async throws {
        let first = try #require(try await live().last)
        let second = try #require(try await live(isContinued: true, later: .seconds(59)).first)
        #expect(second["sessionId"] == first["sessionId"])
        #expect(second["eventIndex"] == 3)
        #expect(second["firstEventId"] == first["firstEventId"])
        let third = try #require(try await live(isContinued: true, later: .seconds(200)).first)
        #expect(third["sessionIndex"] == 2)
        #expect(third["previousSessionId"] == first["sessionId"])
    }

    @Test("a process without events leaves the session as it was")
    func survivesAnIdleProcess() async throws {
        let first = try #require(try await live().last)
        _ = try await live(events: 0)
        let third = try #require(try await live().first)
        #expect(third["userId"] == first["userId"])
        #expect(third["sessionIndex"] == 2)
    }

    @Test("a namespace that is removed and set up again keeps its user")
    func survivesRemoval() async throws {
        let rig = Rig()
        let configure: (inout ConfigurationBundle) -> Void = { $0.tracker?.sessionContext = true }
        let first = try await rig.tracker("a", configure)
        first.track(1...1)
        await first.flush()
        first.remove()
        let second = try await rig.tracker("a", configure)
        second.track(2...2)
        await second.flush()
        let sessions = rig.events.compactMap { $0.entity("client_session") }
        #expect(sessions.count == 2 && sessions[0]["userId"] == sessions[1]["userId"])
        #expect(sessions.last?["sessionIndex"] == 2)
    }
}
