import TestSupport
import Testing
import TrackerTesting

@testable import TrackerCore

@Suite("a session over a restart", .endsWhenItHangs)
struct SessionRestartTests {
    private let directory = TemporaryDirectory()

    /// Runs one process's life: some events, a shutdown, and the sessions that the events carried.
    private func live(events: Int = 2, isContinued: Bool = false, later: Duration = .zero) async throws -> [JSONValue] {
        let rig = Rig(stateDirectory: directory.path, seed: UInt64.random(in: 1...9_999_999))
        rig.time.advance(by: later)
        let tracker = try await rig.tracker {
            $0.tracker?.sessionContext = true
            $0.session = SessionConfiguration {
                $0.foregroundTimeout = .seconds(60)
                $0.continueSessionOnRestart = isContinued
            }
        }
        if events > 0 { tracker.track(1...events) }
        await rig.pipeline.shutdown(timeout: .seconds(5))
        return rig.events.compactMap { $0.entity("client_session") }
    }

    @Test("the user and the count of sessions go on, the session itself is a new one")
    func beginsAnew() async throws {
        let first = try #require(try await live().last)
        let second = try #require(try await live().first)
        #expect(second["userId"] == first["userId"])
        #expect(second["sessionId"] != first["sessionId"])
        #expect(second["previousSessionId"] == first["sessionId"])
        #expect(second["sessionIndex"] == 2)
        #expect(second["eventIndex"] == 1)
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

    @Test(
        "a record with a text that an event cannot have as it is counts as none",
        arguments: ["userId", "id", "firstEventId", "firstEventTime"])
    func refusesTexts(name: String) {
        let record = SessionRecord(
            userID: "u", id: "s", index: 1, eventIndex: 1, firstEventID: "e", firstEventTime: "t", lastActivity: 1)
        var object = record.object
        #expect(SessionRecord(.object(object)) == record)
        object[name] = .string("a\"b")
        #expect(SessionRecord(.object(object)) == nil)
    }

    @Test("a process without events leaves the session as it was")
    func survivesAnIdleProcess() async throws {
        let first = try #require(try await live().last)
        _ = try await live(events: 0)
        let third = try #require(try await live().first)
        #expect(third["userId"] == first["userId"])
        #expect(third["sessionIndex"] == 2)
    }

    @Test("a namespace that is set up again keeps its user", arguments: [false, true])
    func survivesRemoval(hasEnded: Bool) async throws {
        let rig = Rig()
        func live(_ number: Int) async throws {
            let tracker = try await rig.tracker("a") { $0.tracker?.sessionContext = true }
            tracker.track(number...number)
            await tracker.flush()
            tracker.remove()
        }
        try await live(1)
        await rig.pipeline.releaseEmitters()
        rig.time.advance(by: .seconds(hasEnded ? 61 : 1))
        // The task of a timer that was cancelled may still have it.
        try await waitUntil("the emitter has ended, or not") {
            await rig.pipeline.releaseEmitters()
            return rig.pipeline.emitters.withLock { $0.all.isEmpty } == hasEnded
        }
        try await live(2)
        let sessions = rig.events.compactMap { $0.entity("client_session") }
        #expect(sessions.count == 2 && sessions[0]["userId"] == sessions[1]["userId"])
        #expect(sessions.last?["sessionIndex"] == 2)
    }
}
