import Foundation
import TestSupport
import Testing
import TrackerClientEvents
import TrackerCore
import TrackerTesting

/// Every field of a subject, with two values and how it stands on the wire.
private struct SubjectSample: Sendable, CustomTestStringConvertible {
    let field: EventSubject.Fields
    let parameter: String
    /// Sets the field to its first or second value.
    let set: @Sendable (inout EventSubject, Int) -> Void
    let values: [String]
    /// Sets the tracker's own field; nil if settings have none.
    let setTracker: (@Sendable (Tracker, Int) throws -> Void)?

    var testDescription: String { parameter }

    static let all: [SubjectSample] = [
        text("uid", .userID, \.userID) { try $0.subject.set(\.userID, to: $1) },
        text("duid", .domainUserID, \.domainUserID) { try $0.subject.set(\.domainUserID, to: $1) },
        text("tnuid", .networkUserID, \.networkUserID) { try $0.subject.set(\.networkUserID, to: $1) },
        text("sid", .domainSessionID, \.domainSessionID) { try $0.subject.set(\.domainSessionID, to: $1) },
        SubjectSample(
            field: .domainSessionIndex, parameter: "vid", set: { $0.domainSessionIndex = $1 + 1 },
            values: ["1", "2", "3", "4"],
            setTracker: { try $0.subject.set(\.domainSessionIndex, to: $1 + 1) }),
        text("ip", .ipAddress, \.ipAddress) { try $0.subject.set(\.ipAddress, to: $1) },
        text("ua", .userAgent, \.userAgent) { try $0.subject.set(\.userAgent, to: $1) },
        text("tz", .timeZone, \.timeZone) { try $0.subject.set(\.timeZone, to: $1) },
        text("lang", .language, \.language) { try $0.subject.set(\.language, to: $1) },
        SubjectSample(
            field: .screenResolution, parameter: "res",
            set: { $0.screenResolution = "\($1)x9" }, values: ["0x9", "1x9", "2x9", "3x9"],
            setTracker: { try $0.subject.set(\.screenResolution, to: "\($1)x9") }),
        SubjectSample(
            field: .viewport, parameter: "vp", set: { $0.viewport = "\($1)x9" },
            values: ["0x9", "1x9", "2x9", "3x9"],
            setTracker: { try $0.subject.set(\.viewport, to: "\($1)x9") }),
        SubjectSample(
            field: .colorDepth, parameter: "cd", set: { $0.colorDepth = $1 + 1 }, values: ["1", "2", "3", "4"],
            setTracker: { try $0.subject.set(\.colorDepth, to: $1 + 1) }),
        text("url", .url, \.url), text("refr", .referrer, \.referrer), text("page", .pageTitle, \.pageTitle),
    ]

    private static let texts = ["argument \"0\"", "scope 1", "task 2", "tracker 3"]

    private static func text(
        _ parameter: String, _ field: EventSubject.Fields,
        _ path: any WritableKeyPath<EventSubject, String?> & Sendable,
        _ setTracker: (@Sendable (Tracker, String) throws -> Void)? = nil
    ) -> SubjectSample {
        var setIndex: (@Sendable (Tracker, Int) throws -> Void)?
        if let setTracker { setIndex = { tracker, index in try setTracker(tracker, texts[index]) } }
        return SubjectSample(
            field: field, parameter: parameter, set: { $0[keyPath: path] = texts[$1] }, values: texts,
            setTracker: setIndex)
    }

    func subject(_ index: Int) -> EventSubject {
        var subject = EventSubject()
        set(&subject, index)
        return subject
    }
}

/// A structured event that names a user by a parameter of its own.
private struct Named: Event {
    let userID: String

    var content: EventContent {
        .parameters(
            .structured,
            [EventParameter(name: "se_ac", value: "own"), EventParameter(name: "uid", value: userID)])
    }
}

@Suite("The subject of an event", .endsWhenItHangs)
struct SubjectPrecedenceTests {
    private let rig = Rig()

    private func event(_ name: String) -> Structured { Structured(category: "c", action: name) }

    private func parameter(_ name: String, of action: String) -> String? {
        rig.events.first { $0["se_ac"] == action }?[name]
    }

    @Test(
        "is taken field by field from the argument, the task and the tracker", arguments: SubjectSample.all)
    private func precedence(sample: SubjectSample) async throws {
        let tracker = try await rig.tracker()
        try sample.setTracker?(tracker, 3)
        let task = TrackingContext(subject: sample.subject(2))
        withTrackingContext(task) {
            tracker.track(event("cleared"), subject: EventSubject(cleared: sample.field))
            tracker.track(event("argument"), subject: sample.subject(0))
            tracker.track(event("task"))
            tracker.track(
                event("another field"), subject: EventSubject(location: GeoLocation(latitude: 1, longitude: 2)))
        }
        tracker.track(event("tracker"))
        tracker.track(event("cleared tracker"), subject: EventSubject(cleared: .all))
        await tracker.flush()
        let expected: [String: String?] = [
            "cleared": nil, "argument": sample.values[0], "task": sample.values[2], "another field": sample.values[2],
            "tracker": sample.setTracker == nil ? nil : sample.values[3], "cleared tracker": nil,
        ]
        for (action, value) in expected { #expect(parameter(sample.parameter, of: action) == value, "\(action)") }
        #expect(rig.events.count == 6)
    }

    @Test("keeps a value that it has and clears at once")
    func valueWins() async throws {
        let tracker = try await rig.tracker()
        try tracker.subject.set(\.userID, to: "process")
        tracker.track(event("1"), subject: EventSubject(userID: "u-1", cleared: .all))
        await tracker.flush()
        #expect(parameter("uid", of: "1") == "u-1")
    }

    @Test("changes at run time and by documents only for events that say nothing of it")
    func settings() async throws {
        let tracker = try await rig.tracker()
        try tracker.subject.set(\.language, to: "en")
        let context = TrackingContext(subject: EventSubject(userID: "u-1"))
        _ = withTrackingContext(context) { tracker.track(event("1")) }
        try tracker.subject.set(\.language, to: "fr")
        try tracker.subject.set(\.userID, to: "process")
        _ = withTrackingContext(context) { tracker.track(event("2")) }
        await tracker.flush()
        #expect(rig.events.map { $0["lang"] } == ["en", "fr"])
        #expect(rig.events.map { $0["uid"] } == ["u-1", "u-1"])
    }

    @Test("has each of many concurrent tasks its own user, and none another's")
    func concurrency() async throws {
        let count = Search.count(200)
        let tracker = try await rig.tracker { $0.emitter?.emitRange = 100 }
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                group.addTask {
                    let context = TrackingContext(
                        subject: EventSubject(userID: "u-\(number)", ipAddress: "10.0.0.\(number)"))
                    await withTrackingContext(context) {
                        await Task.yield()
                        async let child: Void = {
                            _ = tracker.track(Structured(category: "child", action: "\(number)"))
                        }()
                        await child
                        tracker.track(
                            SelfDescribing(schema: "iglu:com.acme/e/jsonschema/1-0-0", data: ["n": .int(number)]))
                        await Task.yield()
                        tracker.track(Structured(category: "task", action: "\(number)"))
                    }
                }
            }
        }
        await tracker.flush(timeout: .seconds(60))
        let events = rig.events
        #expect(events.count == 3 * count)
        let structured = events.filter { $0["e"] == "se" }
        #expect(structured.count == 2 * count)
        #expect(
            structured.allSatisfy { $0["uid"] == "u-\($0["se_ac"] ?? "")" && $0["ip"] == "10.0.0.\($0["se_ac"] ?? "")" }
        )
        #expect(Set(events.filter { $0["e"] == "ue" }.map { $0["uid"] }).count == count)
    }

    @Test("is anonymous side by side with others, on one tracker")
    func anonymity() async throws {
        let tracker = try await rig.tracker { $0.tracker?.sessionContext = true }
        let all = EventSubject(
            userID: "u", domainUserID: "d", networkUserID: "n", domainSessionID: "s", ipAddress: "10.0.0.1",
            language: "en")
        var anonymous = all
        anonymous.isAnonymous = true
        tracker.track(event("named"), subject: all)
        tracker.track(event("anonymous"), subject: anonymous)
        withTrackingContext(TrackingContext(subject: EventSubject(isAnonymous: true))) {
            _ = tracker.track(event("task"), subject: all)
        }
        try tracker.settings.set(\.userAnonymisation, to: true)
        tracker.track(event("tracker"), subject: all)
        try tracker.subject.set(\.userID, to: "process")
        try tracker.subject.set(\.domainSessionID, to: "s")
        try tracker.subject.set(\.language, to: "en")
        tracker.track(event("settings"))
        await tracker.flush()
        for action in ["anonymous", "task", "tracker", "settings"] {
            let event = try #require(rig.events.first { $0["se_ac"] == action })
            #expect(["uid", "duid", "tnuid", "ip"].allSatisfy { event[$0] == nil }, "\(action)")
            #expect(event["sid"] == "s" && event["lang"] == "en", "\(action)")
        }
        let named = try #require(rig.events.first { $0["se_ac"] == "named" })
        #expect(["uid", "duid", "tnuid", "ip"].map { named[$0] } == ["u", "d", "n", "10.0.0.1"])
    }

    @Test("does not stand in a row beside what the event itself says")
    func noDoubles() async throws {
        let tracker = try await rig.tracker()
        try tracker.subject.set(\.userID, to: "process")
        let context = TrackingContext(
            subject: EventSubject(url: "https://c.example/context", referrer: "https://r.example"))
        withTrackingContext(context) {
            tracker.track(PageView(url: "https://c.example/own"))
            tracker.track(Named(userID: "own"))
        }
        await tracker.flush()
        let rows = rig.transport.requests.map { String(decoding: $0.body ?? [], as: UTF8.self) }.joined()
        #expect(rows.components(separatedBy: #""uid":"#).count == 3)
        #expect(rig.events.map { $0["uid"] } == ["process", "own"])
        #expect(rig.events[0]["url"] == "https://c.example/own")
        #expect(rig.events[0]["refr"] == "https://r.example")
        #expect(rows.components(separatedBy: #""url":"#).count == 3)
    }

    @Test("of a deep link has the link's URL and its referrer")
    func deepLink() async throws {
        let tracker = try await rig.tracker()
        tracker.track(
            DeepLinkReceived(url: "https://shop.example/?utm_source=mail", referrer: "https://mail.example/"),
            subject: EventSubject(userID: "u-1", url: "https://shop.example/other"))
        await tracker.flush()
        #expect(rig.events[0]["url"] == "https://shop.example/?utm_source=mail")
        #expect(rig.events[0]["refr"] == "https://mail.example/")
        #expect(rig.events[0]["uid"] == "u-1")
    }

    @Test("is seen by plugins and global entities merged, and anonymised")
    func plugins() async throws {
        let tracker = try await rig.tracker()
        try tracker.subject.set(\.language, to: "en")
        let seen = Locked<[EventSubject]>([])
        var plugin = Plugin(name: "look")
        plugin.filter { event in
            seen.withLock { $0.append(event.subject) }
            return event.subject.userID != "refused"
        }
        plugin.afterTrack { event in seen.withLock { $0.append(event.subject) } }
        tracker.add(plugin)
        tracker.addGlobalEntities(tag: "user") { event in
            [
                Entity(
                    schema: "iglu:com.acme/user/jsonschema/1-0-0",
                    data: ["id": .string(event.subject.userID ?? "-")])
            ]
        }
        let context = TrackingContext(subject: EventSubject(userID: "u-1", ipAddress: "10.0.0.1"))
        withTrackingContext(context) {
            tracker.track(event("1"), subject: EventSubject(url: "https://c.example"))
            tracker.track(event("2"), subject: EventSubject(isAnonymous: true))
            tracker.track(event("3"), subject: EventSubject(userID: "refused"))
        }
        await tracker.flush()
        let named = EventSubject(userID: "u-1", ipAddress: "10.0.0.1", language: "en", url: "https://c.example")
        let anonymous = EventSubject(language: "en", isAnonymous: true)
        let refused = EventSubject(userID: "refused", ipAddress: "10.0.0.1", language: "en")
        #expect(seen.withLock { $0 } == [named, named, anonymous, anonymous, refused])
        #expect(rig.events.map { $0.entities.first?["data"]?["id"] } == ["u-1", "-"])
        #expect(tracker.counters.droppedByReason == [.filtered: 1])
    }

    @Test("is the process's alone for the tracker's own errors")
    func diagnostics() async throws {
        let tracker = try await rig.tracker { $0.tracker?.diagnosticAutotracking = true }
        withTrackingContext(TrackingContext(subject: EventSubject(userID: "u-1"))) {
            _ = tracker.track(Structured(category: "c", action: "a", value: .nan))
        }
        await tracker.flush()
        #expect(rig.events.count == 1)
        #expect(rig.events[0]["e"] == "ue" && rig.events[0]["uid"] == nil)
    }

    @Test("comes with the entities of its context")
    func entities() async throws {
        let tracker = try await rig.tracker()
        let trace = Entity(schema: "iglu:com.acme/trace/jsonschema/1-0-0", data: ["id": "t-1"])
        let order = Entity(schema: "iglu:com.acme/order/jsonschema/1-0-0", data: ["id": "o-1"])
        let context = TrackingContext(entities: [trace])
        withTrackingContext(context) {
            tracker.track(event("1"), entities: [order])
            tracker.track(event("2"))
        }
        tracker.track(event("3"))
        let invalid = Entity(schema: "iglu:com.acme/x/jsonschema/1-0-0", data: ["n": .double(.nan)])
        _ = withTrackingContext(TrackingContext(entities: [invalid])) { tracker.track(event("4")) }
        await tracker.flush()
        #expect(rig.events.map { $0.entities.map { $0["data"]?["id"] } } == [["o-1", "t-1"], ["t-1"], []])
        #expect(tracker.counters.droppedByReason == [.invalid: 1])
    }

    @Test("does not stay with the service's closures that run later")
    func closures() async throws {
        let seen = Locked<[String?]>([])
        let respond = { [rig] (status: Int) in
            rig.transport.respond { _ in
                seen.withLock { $0.append(TrackingContext.current?.subject.userID) }
                return .success(HTTPTransportResponse(status: status))
            }
        }
        respond(503)
        let tracker = try await rig.tracker()
        let request = TrackingContext(subject: EventSubject(userID: "u-1"))
        try await withTrackingContext(request) {
            try tracker.emitter.set(\.emitRange, to: 10)
            tracker.track(event("1"))
            let flush = Task { await tracker.flush(timeout: .seconds(60)) }
            await rig.transport.waitForRequests(1)
            respond(200)
            // The retry is caused by no request at all.
            await rig.time.waitForSleep(in: .zero ... .milliseconds(100))
            rig.time.advance(by: .milliseconds(100))
            _ = await flush.value
        }
        #expect(seen.withLock { $0 } == [nil, nil])
    }

    @Test("that an event names by its own parameters is the event's user, and is left out of an anonymous one")
    func ownParameters() async throws {
        let tracker = try await rig.tracker { $0.tracker?.sessionContext = true }
        try tracker.subject.set(\.userID, to: "process")
        tracker.track(Named(userID: "u-2"))
        tracker.track(Named(userID: "u-2"), subject: EventSubject(isAnonymous: true))
        await tracker.flush()
        #expect(rig.events.map { $0["uid"] } == ["u-2", nil])
        #expect(rig.events.allSatisfy { $0.entity("client_session") == nil })
    }

    @Test("of an anonymous event hides its user from plugins too")
    func anonymousPlugins() async throws {
        let tracker = try await rig.tracker()
        let seen = Locked<[TrackedEvent]>([])
        var plugin = Plugin(name: "look")
        plugin.afterTrack { event in seen.withLock { $0.append(event) } }
        tracker.add(plugin)
        let session = ClientSession(userID: UUID(), sessionID: UUID(), sessionIndex: 1)
        let request = TrackingContext(
            subject: EventSubject(userID: "u-1", isAnonymous: true), entities: [session.entity],
            evaluation: FeatureContext(userID: "u-1"))
        withTrackingContext(request) {
            tracker.track(event("1"))
            tracker.track(event("2"), subject: EventSubject(userID: "u-2"))
        }
        let events = seen.withLock { $0 }
        #expect(events.allSatisfy { $0.evaluation == nil && $0.subject.userID == nil })
        #expect(events.map(\.entities.count) == [1, 0])
        #expect(events[0].entities[0].data["userId"] == "00000000-0000-0000-0000-000000000000")
    }
}
