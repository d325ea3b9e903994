import Foundation
import TestSupport
import Testing
import TrackerCore
import TrackerTesting

@Suite("Session", .endsWhenItHangs)
struct SessionTests {
    private let rig = Rig()

    private func tracker(_ configure: (inout ConfigurationBundle) -> Void = { _ in }) async throws -> Tracker {
        try await rig.tracker {
            $0.tracker?.sessionContext = true
            $0.session = SessionConfiguration { $0.foregroundTimeout = .seconds(60) }
            configure(&$0)
        }
    }

    /// Tracks an event, sends it and gives its session.
    private func next(_ tracker: Tracker) async -> JSONValue? {
        tracker.track(Structured(category: "c", action: "a"))
        await tracker.flush()
        return rig.events.last?.entity("client_session")
    }

    @Test("a session's entity has the shape of its schema")
    func hasTheShapeOfItsSchema() async throws {
        let tracker = try await tracker()
        let session = try #require(await next(tracker))
        let id = rig.events.last?["eid"]
        #expect(
            Set(session.object?.members.map(\.name) ?? []) == [
                "userId", "sessionId", "sessionIndex", "eventIndex", "previousSessionId", "storageMechanism",
                "firstEventId", "firstEventTimestamp",
            ])
        #expect(session["userId"]?.string?.isLowercaseUUID == true)
        #expect(session["sessionId"]?.string?.isLowercaseUUID == true)
        #expect(session["userId"] != session["sessionId"])
        #expect(session["sessionIndex"] == 1)
        #expect(session["eventIndex"] == 1)
        #expect(session["previousSessionId"] == .null)
        #expect(session["storageMechanism"] == "SQLITE")
        #expect(session["firstEventId"]?.string == id)
        #expect(session["firstEventTimestamp"] == "2023-11-14T22:13:20.000Z")
        #expect(tracker.session.id == session["sessionId"]?.string)
    }

    @Test("events within the timeout share a session and are numbered in it")
    func lasts() async throws {
        let tracker = try await tracker()
        let first = try #require(await next(tracker))
        for index in 2...5 {
            rig.time.advance(by: .milliseconds(59_999))
            let session = try #require(await next(tracker))
            #expect(session["sessionId"] == first["sessionId"])
            #expect(session["eventIndex"] == .int(index))
            #expect(session["firstEventId"] == first["firstEventId"])
            #expect(session["firstEventTimestamp"] == first["firstEventTimestamp"])
            #expect(session["userId"] == first["userId"])
        }
    }

    @Test("after the timeout without events a new session follows the old one")
    func timesOut() async throws {
        let tracker = try await tracker()
        var before = try #require(await next(tracker))
        for index in 2...4 {
            rig.time.advance(by: .seconds(60))
            let session = try #require(await next(tracker))
            #expect(session["sessionId"] != before["sessionId"])
            #expect(session["previousSessionId"] == before["sessionId"])
            #expect(session["sessionIndex"] == .int(index))
            #expect(session["eventIndex"] == 1)
            #expect(session["firstEventId"]?.string == rig.events.last?["eid"])
            #expect(session["firstEventTimestamp"] != before["firstEventTimestamp"])
            #expect(session["userId"] == before["userId"])
            before = session
        }
    }

    @Test("a paused session does not end by time")
    func standsStill() async throws {
        let tracker = try await tracker()
        let first = await next(tracker)?["sessionId"]
        tracker.session.pause()
        #expect(tracker.session.isPaused)
        rig.time.advance(by: .seconds(100_000))
        #expect(await next(tracker)?["sessionId"] == first)
        tracker.session.resume()
        #expect(!tracker.session.isPaused)
        rig.time.advance(by: .seconds(59))
        #expect(await next(tracker)?["sessionId"] == first)
        rig.time.advance(by: .seconds(60))
        #expect(await next(tracker)?["sessionId"] != first)
    }

    @Test("a changed timeout counts from the next event on")
    func followsItsTimeout() async throws {
        let tracker = try await tracker()
        let first = await next(tracker)?["sessionId"]
        try tracker.session.set(\.foregroundTimeout, to: .seconds(1000))
        rig.time.advance(by: .seconds(999))
        #expect(await next(tracker)?["sessionId"] == first)
        try tracker.session.set(\.foregroundTimeout, to: .seconds(5))
        rig.time.advance(by: .seconds(5))
        #expect(await next(tracker)?["sessionId"] != first)
    }

    @Test("code can end a session")
    func startsAnew() async throws {
        let tracker = try await tracker()
        let first = await next(tracker)
        tracker.session.startNew()
        let second = await next(tracker)
        #expect(second?["previousSessionId"] == first?["sessionId"])
        #expect(second?["sessionIndex"] == 2)
    }

    @Test("without the setting there is no session, neither on events nor to be asked for")
    func isOptional() async throws {
        let tracker = try await tracker { $0.tracker?.sessionContext = false }
        #expect(await next(tracker) == nil)
        #expect(tracker.session.id == nil)
        #expect(rig.events[0]["cx"] == nil)
    }

    @Test("user anonymisation hides the user and the session before, and toggling it starts a session")
    func isAnonymised() async throws {
        let tracker = try await tracker()
        let first = try #require(await next(tracker))
        try tracker.settings.set(\.userAnonymisation, to: true)
        let second = try #require(await next(tracker))
        #expect(second["sessionId"] != first["sessionId"])
        #expect(second["userId"] == "00000000-0000-0000-0000-000000000000")
        #expect(second["previousSessionId"] == .null)
        #expect(second["sessionIndex"] == 2)
        // Set again to what it is, nothing begins anew.
        try tracker.settings.set(\.userAnonymisation, to: true)
        #expect(await next(tracker)?["sessionId"] == second["sessionId"])
        try tracker.settings.set(\.userAnonymisation, to: false)
        let third = try #require(await next(tracker))
        #expect(third["sessionId"] != second["sessionId"])
        #expect(third["userId"] == first["userId"])
    }
}

extension String {
    /// Whether it is a UUID of version 4 in lower case.
    var isLowercaseUUID: Bool {
        self == lowercased() && UUID(uuidString: self) != nil && utf8.count == 36 && Array(self)[14] == "4"
            && "89ab".contains(Array(self)[19])
    }
}
