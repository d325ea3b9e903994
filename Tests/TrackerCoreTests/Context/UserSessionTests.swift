import Foundation
import TestSupport
import Testing
import TrackerClientEvents
import TrackerCore

@Suite("The session and the screen of the right user", .endsWhenItHangs)
struct UserSessionTests {
    private let rig = Rig()

    private func tracker() async throws -> Tracker {
        try await rig.tracker {
            $0.tracker?.sessionContext = true
            $0.tracker?.screenContext = true
            $0.tracker?.geoLocationContext = true
        }
    }

    private func event(_ name: String) -> Structured { Structured(category: "c", action: name) }

    private func entity(_ name: String, of action: String) -> JSONValue? {
        let entities = rig.events.first { $0["se_ac"] == action }?.entities ?? []
        return entities.first { $0["schema"]?.string?.contains("/\(name)/") == true }?["data"]
    }

    @Test("is on events without a user of their own and on those of the tracker's user")
    func ownUser() async throws {
        let tracker = try await tracker()
        try tracker.subject.set(\.userID, to: "alice")
        try tracker.subject.set(\.location, to: GeoLocation(latitude: 1, longitude: 2))
        tracker.track(ScreenView(name: "alice's page"))
        tracker.track(event("none"))
        tracker.track(event("alice"), subject: EventSubject(userID: "alice", ipAddress: "10.0.0.1"))
        tracker.track(event("bob"), subject: EventSubject(userID: "bob"))
        tracker.track(event("device"), subject: EventSubject(domainUserID: "d-2"))
        tracker.track(event("web"), subject: EventSubject(domainSessionID: "s-2"))
        tracker.track(event("unnamed"), subject: EventSubject(cleared: .userID))
        tracker.scoped(to: TrackingContext(subject: EventSubject(userID: "bob"))).track(
            event("back"), subject: EventSubject(userID: "alice"))
        await tracker.flush()
        for action in ["none", "alice", "back"] {
            for name in ["client_session", "screen", "geolocation_context"] {
                #expect(entity(name, of: action) != nil, "\(name) of \(action)")
            }
        }
        for action in ["bob", "device", "web", "unnamed"] {
            for name in ["client_session", "screen", "geolocation_context"] {
                #expect(entity(name, of: action) == nil, "\(name) of \(action)")
            }
        }
        // Events of others do not count.
        #expect(entity("client_session", of: "back")?["eventIndex"] == 4)
    }

    @Test("of another user is the one that the service gives")
    func clientSession() async throws {
        let tracker = try await tracker()
        let (user, id, previous) = (UUID(), UUID(), UUID())
        let session = try ClientSession(
            userID: user, sessionID: id, sessionIndex: 4, eventIndex: 7, previousSessionID: previous,
            firstEventID: previous, firstEventTime: Date(timeIntervalSince1970: 0))
        let bound = TrackingContext(subject: EventSubject(userID: "bob"), entities: [session.entity])
        let other = try ClientSession(userID: UUID(), sessionID: UUID(), sessionIndex: 1)
        withTrackingContext(bound) {
            tracker.track(event("bob"))
            tracker.track(event("carl"), subject: EventSubject(userID: "carl"))
            tracker.track(event("argument"), entities: [other.entity])
            tracker.track(event("anonymous"), subject: EventSubject(isAnonymous: true))
        }
        tracker.track(event("process"), entities: [other.entity])
        await tracker.flush()
        func text(_ id: UUID) -> JSONValue { .string(id.uuidString.lowercased()) }
        let written = entity("client_session", of: "bob")
        #expect(
            written == [
                "userId": text(user), "sessionId": text(id), "sessionIndex": 4, "eventIndex": 7,
                "previousSessionId": text(previous), "storageMechanism": "COOKIE_1", "firstEventId": text(previous),
                "firstEventTimestamp": "1970-01-01T00:00:00.000Z",
            ])
        #expect(entity("client_session", of: "carl") == nil)
        for action in ["argument", "process"] {
            #expect(entity("client_session", of: action)?["sessionId"] == text(other.sessionID), "\(action)")
            let count = rig.events.first { $0["se_ac"] == action }?.entities.count
            #expect(count == 1, "\(action)")
        }
        let anonymous = entity("client_session", of: "anonymous")
        #expect(anonymous?["userId"] == "00000000-0000-0000-0000-000000000000")
        #expect(anonymous?["previousSessionId"] == .null)
        #expect(anonymous?["sessionId"] == text(id))
        #expect(tracker.session.id == nil)
    }

    @Test("refuses numbers that its schema does not take", arguments: [-1, 1 << 31])
    func bounds(index: Int) {
        #expect(throws: EventError.self) { try ClientSession(userID: UUID(), sessionID: UUID(), sessionIndex: index) }
        #expect(throws: EventError.self) {
            try ClientSession(userID: UUID(), sessionID: UUID(), sessionIndex: 1, eventIndex: index)
        }
    }

    @Test("a screen view of another user names no screen of the tracker's, and leaves it alone")
    func screens() async throws {
        let tracker = try await tracker()
        tracker.track(ScreenView(name: "alice's first"))
        let id = EventID(UUID())
        tracker.track(
            ScreenView(name: "bob's", id: id, previous: ScreenView.Previous(name: "home", id: id, type: "feed")),
            subject: EventSubject(userID: "bob"))
        tracker.track(ScreenView(name: "carl's"), subject: EventSubject(userID: "carl"))
        tracker.track(ScreenView(name: "alice's second", id: id))
        tracker.track(event("alice"))
        await tracker.flush()
        let views = rig.events.prefix(4).map { $0.event?["data"] }
        #expect(views.map { $0?["previousName"] } == [nil, "home", nil, "alice's first"])
        #expect(views[1]?["id"] == .string("\(id)") && views[1]?["previousId"] == .string("\(id)"))
        #expect(views[1]?["previousType"] == "feed")
        #expect(entity("screen", of: "alice")?["name"] == "alice's second")
        #expect(entity("screen", of: "alice")?["id"] == .string("\(id)"))
        let bobs = rig.events[1].entities.filter { $0["schema"]?.string?.contains("/screen/") == true }
        #expect(bobs.isEmpty)
    }

    @Test("a location of the event's own takes the place of the tracker's")
    func location() async throws {
        let tracker = try await tracker()
        try tracker.subject.set(\.location, to: GeoLocation(latitude: 1, longitude: 2))
        tracker.track(
            event("own"), subject: EventSubject(userID: "bob", location: GeoLocation(latitude: 3, longitude: 4)))
        tracker.track(event("cleared"), subject: EventSubject(cleared: .location))
        await tracker.flush()
        #expect(entity("geolocation_context", of: "own")?["latitude"] == 3.0)
        #expect(entity("geolocation_context", of: "cleared") == nil)
    }
}
