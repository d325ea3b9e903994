import TestSupport
import Testing
import TrackerCore
import TrackerTesting

@Suite("trackerVersionSuffix", .endsWhenItHangs)
struct TrackerVersionSuffixTests {
    private let rig = Rig()

    @Test(
        "a suffix follows the version after one space, without characters that a version cannot have",
        arguments: [
            ("shop-3.1", " shop-3.1", false), ("-shop 3_1", " -shop31", true), ("žüñ", "", true), ("", "", false),
            ("٣", "", true), (" ", "", true),
        ])
    func appends(suffix: String, tail: String, isWarned: Bool) async throws {
        let tracker = try await rig.tracker { $0.tracker?.trackerVersionSuffix = suffix }
        tracker.track(1...1)
        await tracker.flush()
        #expect(rig.events.last?["tv"] == TrackerVersion.current + tail)
        #expect(rig.log.contains("tracker.trackerVersionSuffix: in ") == isWarned)
    }

    @Test("a suffix that is set at run time has the same form")
    func isSetAtRunTime() async throws {
        let tracker = try await rig.tracker()
        try tracker.settings.set(\.trackerVersionSuffix, to: "a b")
        tracker.track(1...1)
        await tracker.flush()
        #expect(rig.events.last?["tv"] == "\(TrackerVersion.current) ab")
    }

    @Test("a headset is a platform")
    func knowsHeadsets() async throws {
        let tracker = try await rig.tracker()
        try tracker.set(field: "tracker.devicePlatform", to: JSONNode(.string("headset")))
        tracker.track(1...1)
        await tracker.flush()
        #expect(rig.events.last?["p"] == "headset")
    }
}
