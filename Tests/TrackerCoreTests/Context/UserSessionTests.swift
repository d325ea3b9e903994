import Foundation
import TestSupport
import Testing
import TrackerClientEvents
import TrackerCore

@Suite("The session of the right user", .endsWhenItHangs)
struct UserSessionTests {
    private let rig = Rig()

    private func tracker() async throws -> Tracker {
        try await rig.tracker {
            $0.tracker?.sessionContext = true
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
        tracker.track(event("none"))
        tracker.track(event("alice"), subject: EventSubject(userID: "alice", ipAddress: "10.0.0.1"))
        tracker.track(event("bob"), subject: EventSubject(userID: "bob"))
        tracker.track(event("device"), subject: EventSubject(domainUserID: "d-2"))
        tracker.track(event("web"), subject: EventSubject(domainSessionID: "s-2"))
        tracker.track(event("unnamed"), subject: EventSubject(cleared: .userID))
        withTrackingContext(TrackingContext(subject: EventSubject(userID: "bob"))) {
            _ = tracker.track(event("back"), subject: EventSubject(userID: "alice"))
        }
        await tracker.flush()
        for action in ["none", "alice", "back"] {
            for name in ["client_session", "geolocation_context"] {
                #expect(entity(name, of: action) != nil, "\(name) of \(action)")
            }
        }
        for action in ["bob", "device", "web", "unnamed"] {
            for name in ["client_session", "geolocation_context"] {
                #expect(entity(name, of: action) == nil, "\(name) of \(action)")
            }
        }
        // Events of others do not count.
        #expect(entity("client_session", of: "back")?["eventIndex"] == 3)
    }

    @Test("of another user is the one that the service gives")
    func clientSession() async throws {
        let tracker = try await tracker()
        let (user, id, previous) = (UUID(), UUID(), UUID())
        let session = ClientSession(
            userID: user, sessionID: id, sessionIndex: 4, eventIndex: 7, previousSessionID: previous,
            firstEventID: previous, firstEventTime: Date(timeIntervalSince1970: 0))
        let bound = TrackingContext(subject: EventSubject(userID: "bob"), entities: [session.entity])
        let other = ClientSession(userID: UUID(), sessionID: UUID(), sessionIndex: 1)
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
            #expect(entity("client_session", of: action)?["sessionId"] == other.entity.data["sessionId"], "\(action)")
            let count = rig.events.first { $0["se_ac"] == action }?.entities.count
            #expect(count == 1, "\(action)")
        }
        let anonymous = entity("client_session", of: "anonymous")
        #expect(anonymous?["userId"] == "00000000-0000-0000-0000-000000000000")
        #expect(anonymous?["previousSessionId"] == .null)
        #expect(anonymous?["sessionId"] == text(id))
        #expect(tracker.session.id == nil)
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
