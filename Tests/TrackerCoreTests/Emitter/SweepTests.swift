import TestSupport
import Testing
import TrackerClientEvents
import TrackerCore
import TrackerTesting

extension EventSubject {
    /// A property that is no setting, as users may add them.
    fileprivate var accountId: String? {
        get { userID }
        set { userID = newValue }
    }
}

@Suite("what nobody looks after", .endsWhenItHangs)
struct SweepTests {
    @Test("unsent events of a removed namespace expire by the age that its tracker had")
    func expires() async throws {
        let rig = Rig()
        let removed = try await rig.idleTracker("removed") { $0.emitter?.maxEventStoreAge = .seconds(7200) }
        let other = try await rig.tracker("other")
        removed.track(1...3)
        removed.remove()
        rig.time.advance(by: .seconds(7100))
        other.track(1...1)
        #expect(await other.settledCounters().tracked == 1)
        #expect(removed.counters.stored == 3)
        rig.time.advance(by: .seconds(3700))
        other.track(2...2)
        _ = await other.settledCounters()
        #expect(removed.counters.stored == 0)
        #expect(removed.counters.droppedByReason == [.expired: 3])
    }

    @Test("a session does not begin with an event that cannot be encoded")
    func beginsWithGoodEvents() async throws {
        let rig = Rig()
        let tracker = try await rig.tracker { $0.tracker?.sessionContext = true }
        #expect(tracker.track(Timing(category: "c", variable: "v", timing: .nan)) == nil)
        let bad = Entity(schema: "iglu:com.acme/e/jsonschema/1-0-0", data: ["list": [1, [.double(.infinity)]]])
        #expect(tracker.track(ScreenView(name: "refused"), entities: [bad]) == nil)
        #expect(tracker.session.id == nil)
        let id = tracker.track(ScreenView(name: "seen"))
        await tracker.flush()
        let session = rig.events.first?.entity("client_session")
        #expect(session?["firstEventId"]?.string == id?.description)
        #expect(session?["eventIndex"] == 1)
        #expect(tracker.counters.droppedByReason == [.invalid: 2])
    }

    @Test("setting a property that is no setting is an error, not the end of the process")
    func refusesOtherProperties() async throws {
        let rig = Rig()
        let tracker = try await rig.tracker()
        let error = #expect(throws: ConfigurationError.self) { try tracker.subject.set(\.accountId, to: "x") }
        #expect(error?.code == .unknownField)
        tracker.subject.reset(\.accountId)
        #expect(tracker.subject.userID == nil)
        #expect(tracker.subject.explanation(\.accountId).value == nil)
    }
}
