import Foundation
import TestSupport
import Testing
import TrackerClientEvents
import TrackerCore
import TrackerTesting

@Suite("Tracker", .endsWhenItHangs)
struct TrackerTests {
    private let rig = Rig()

    @Test("a namespace has 1 to 128 characters", arguments: [(0, false), (1, true), (128, true), (129, false)])
    func boundsTheNamespace(length: Int, isGood: Bool) throws {
        let bundle = ConfigurationBundle.sample(String(repeating: "é", count: length))
        if isGood {
            #expect(try Tracker(bundle, pipeline: rig.pipeline).namespace.count == length)
        } else {
            let error = #expect(throws: ConfigurationError.self) { try Tracker(bundle, pipeline: rig.pipeline) }
            #expect(error?.code == .outOfRange)
        }
    }

    @Test("a tracker needs a collector's URL that can be used")
    func needsAnEndpoint() {
        var bundle = ConfigurationBundle(namespace: "ns")
        #expect(throws: ConfigurationError.self) { try Tracker(bundle, pipeline: rig.pipeline) }
        bundle.network = NetworkConfiguration(endpoint: "ftp://x")
        let error = #expect(throws: ConfigurationError.self) { try Tracker(bundle, pipeline: rig.pipeline) }
        #expect(error?.place == "network.endpoint")
        #expect(error?.code == .unusableURL)
    }

    @Test("ids are lower-case UUIDs of version 4, all different, and those on the wire")
    func idsAreUnique() async throws {
        let tracker = try await rig.tracker()
        let event = Structured(category: "c", action: "a")
        let ids = (0..<Search.count(500)).compactMap { _ in tracker.track(event)?.description }
        #expect(Set(ids).count == Search.count(500))
        #expect(ids.allSatisfy { $0.isLowercaseUUID })
        await tracker.flush(timeout: .seconds(60))
        #expect(rig.events.map { $0["eid"] } == ids)
    }

    @Test("what an event carries is fixed when it is tracked; how it is sent, when it is sent")
    func fixesWhatEventsCarry() async throws {
        let tracker = try await rig.tracker {
            $0.subject = EventSubject { $0.userID = "before" }
            $0.tracker?.appID = "app-before"
        }
        tracker.track(Structured(category: "c", action: "a"))
        _ = await tracker.settledCounters()
        try tracker.subject.set(\.userID, to: "after")
        try tracker.settings.set(\.appID, to: "app-after")
        try tracker.settings.set(\.base64Encoding, to: false)
        try tracker.network.set(\.method, to: .get)
        try tracker.network.set(\.endpoint, to: "http://other.example/x")
        await tracker.flush()
        let request = try #require(rig.transport.requests.first)
        #expect(request.method == "GET")
        #expect(request.url.hasPrefix("http://other.example/x/i?"))
        #expect(request.query["uid"] == "before")
        #expect(request.query["aid"] == "app-before")
        tracker.track(Structured(category: "c", action: "b"))
        await tracker.flush()
        #expect(rig.transport.requests.last?.query["uid"] == "after")
    }

    @Test("an event tracked while paused is counted and dropped, and later ones are not")
    func pauses() async throws {
        let tracker = try await rig.tracker()
        tracker.pause()
        #expect(tracker.isPaused)
        #expect(tracker.track(PageView(url: "u")) == nil)
        let error = await #expect(throws: TrackingError.self) { try await tracker.trackCommitted(PageView(url: "u")) }
        #expect(error?.dropReason == .paused)
        tracker.resume()
        #expect(tracker.track(PageView(url: "u")) != nil)
        await tracker.flush()
        #expect(tracker.counters.droppedByReason == [.paused: 2])
        #expect(tracker.counters.tracked == 1)
        #expect(tracker.counters.sent == 1)
        #expect(rig.log.contains("(paused)"))
    }

    @Test("a removed tracker answers nil, counts, and leaves its unsent events in the store")
    func isRemoved() async throws {
        let tracker = try await rig.tracker()
        tracker.track(1...3)
        tracker.remove()
        tracker.remove()
        await tracker.followed()
        #expect(tracker.track(PageView(url: "u")) == nil)
        #expect(await tracker.settledCounters().droppedByReason == [.removed: 1])
        #expect(tracker.counters.stored == 3)
        await tracker.flush()
        #expect(rig.transport.requests.isEmpty)
        let second = try await rig.tracker()
        await second.flush()
        #expect(rig.actions == ["1", "2", "3"])
        #expect(tracker.track(PageView(url: "u")) == nil, "the old handle stays removed")
        #expect(second.track(PageView(url: "u")) != nil)
    }

    @Test("shutting a tracker down sends what there is and ends it")
    func isShutDown() async throws {
        let tracker = try await rig.tracker()
        let other = try await rig.tracker("other")
        tracker.track(1...3)
        let report = await tracker.shutdown()
        #expect(report.sent == 3)
        #expect(report.stored == 0)
        #expect(tracker.track(PageView(url: "u")) == nil)
        #expect(other.track(PageView(url: "u")) != nil)
    }

    @Test("counters add up through success, failure, refusal and invalid events")
    func countersAddUp() async throws {
        let tracker = try await rig.tracker { $0.emitter?.byteLimitPost = 1000 }
        rig.transport.respond { request in
            let isRefused = request.events.contains { $0["se_ac"] == "5" }
            return .success(HTTPTransportResponse(status: isRefused ? 400 : 200))
        }
        rig.transport.script(200, 500)
        tracker.track(1...9)
        tracker.track(Structured(category: "c", action: "a", value: .nan))
        let time = rig.time
        async let report = tracker.flush(timeout: .seconds(700))
        await rig.transport.waitForRequests(2)
        // The flush's end and the back-off.
        await time.waitForSleepers(2)
        time.advance(by: .milliseconds(100))
        let result = await report
        let counters = await tracker.settledCounters()
        #expect(counters.addUp)
        #expect(counters.tracked == 9)
        #expect(counters.stored == 0)
        #expect(counters.droppedByReason[.invalid] == 1)
        #expect(counters.droppedByReason[.rejected] == 1)
        #expect(counters.retried > 0)
        #expect(counters.requests == rig.transport.requests.count)
        #expect(result.sent + result.dropped == 10)
    }

    @Test("numbers that are not finite are refused, wherever they stand", arguments: [Double.nan, -.infinity])
    func refusesNonFiniteNumbers(number: Double) async throws {
        let tracker = try await rig.tracker()
        let bad: JSONObject = ["list": [1, ["x": .double(number)]]]
        #expect(tracker.track(Structured(category: "c", action: "a", value: number)) == nil)
        #expect(tracker.track(Timing(category: "c", variable: "v", timing: number)) == nil)
        #expect(tracker.track(SelfDescribing(schema: "iglu:a/b/jsonschema/1-0-0", data: bad)) == nil)
        let entity = Entity(schema: "iglu:a/b/jsonschema/1-0-0", data: bad)
        #expect(tracker.track(PageView(url: "u"), entities: [entity]) == nil)
        tracker.track(1...1)
        await tracker.flush()
        #expect(tracker.counters.droppedByReason == [.invalid: 4])
        #expect(rig.actions == ["1"])
        #expect(tracker.counters.addUp)
    }

    @Test("a true time stamp may be before 1970 and must have at most 14 digits")
    func boundsTrueTimestamps() async throws {
        let tracker = try await rig.tracker()
        let table: [(Double, String?)] = [
            (0, "0"), (-1.5, "-1500"), (1_600_000_000.1234, "1600000000123"), (99_999_999_999.999, "99999999999999"),
            (-99_999_999_999.999, "-99999999999999"), (100_000_000_000, nil), (-100_000_000_000, nil),
            (.nan, nil), (.infinity, nil), (-.infinity, nil), (1e300, nil),
        ]
        for (seconds, expected) in table {
            let before = rig.events.count
            let id = tracker.track(PageView(url: "u"), trueTimestamp: Date(timeIntervalSince1970: seconds))
            #expect((id == nil) == (expected == nil), "\(seconds)")
            await tracker.flush()
            if expected != nil { #expect(rig.events.last?["ttm"] == expected) }
            #expect(rig.events.count == before + (expected == nil ? 0 : 1))
        }
        tracker.track(PageView(url: "u"))
        await tracker.flush()
        #expect(rig.events.last?["ttm"] == nil)
    }

    @Test("trackers of one pipeline do not mix")
    func namespacesAreApart() async throws {
        let one = try await rig.tracker("one") { $0.network?.endpoint = "https://one.example" }
        let two = try await rig.tracker("two") { $0.network?.endpoint = "https://two.example" }
        one.track(1...3)
        two.track(4...5)
        await one.flush()
        #expect(two.counters.sent == 0)
        await two.flush()
        for request in rig.transport.requests {
            let host = request.url.contains("one.example") ? "one" : "two"
            #expect(Set(request.events.map { $0["tna"] }) == [host])
        }
        #expect(one.counters.sent == 3)
        #expect(two.counters.sent == 2)
    }
}
