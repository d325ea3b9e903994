import TestSupport
import Testing
import TrackerConfig
import TrackerFeatures

/// What a document's schedules become, and what is wrong with them.
@Suite("The schedules of a document", .endsWhenItHangs)
struct ScheduleDecodingTests {
    private static let schedule = #""start":"2026-12-01T00:00:00+01:00","end":"2027-01-01T00:00:00Z""#
    private static let expected = Schedule(
        start: Instant(milliseconds: 1_796_079_600_000), end: Instant(milliseconds: 1_798_761_600_000))

    @Test("rules and experiments have schedules")
    func read() throws {
        let document = try ScheduleRig.document(
            #"{"f":{"enabled":true,"rules":[{"id":"r","enabled":true,\#(Self.schedule)}]}}"#,
            more: #","requires":["schedules"],"experiments":[{"id":"e",\#(Self.schedule),"variants":[{"name":"a"}]}]"#)
        #expect(document.warnings.isEmpty)
        #expect(document.features[0].rules[0].targeting.schedule == Self.expected)
        #expect(document.experiments[0].targeting.schedule == Self.expected)
    }

    @Test("null is no bound")
    func absent() throws {
        let document = try ScheduleRig.document(
            #"{"f":{"start":null,"rules":[{"id":"r","enabled":true,"start":null,"end":null}]}}"#)
        #expect(document.warnings.isEmpty)
        #expect(document.features[0].rules[0].targeting == Targeting())
    }

    @Test("a feature with a time is left out, with a warning, so that the next source decides")
    func feature() throws {
        let document = try ScheduleRig.document(
            #"{"f":{"enabled":true,"end":"2027-01-01T00:00:00Z","variables":{"v":{"value":1}}},"g":{"enabled":true}}"#)
        #expect(document.features.map(\.name) == ["g"])
        #expect(
            document.warnings.map { "\($0.place): \($0.reason)" } == [
                "features.f.end: only rules and experiments have times; the feature is left out"
            ])
    }

    private static let example = "'2026-12-01T00:00:00+01:00'"

    @Test(
        "what is no schedule is told with its place, and its part applies at no time",
        arguments: [
            (
                #""start":"2026-12-01T00:00:00""#,
                "start: '2026-12-01T00:00:00' has no offset or no time, so each machine could read another moment; "
                    + "expected \(example)"
            ),
            (
                #""end":"2026-12-01""#,
                "end: '2026-12-01' has no offset or no time, so each machine could read another moment; expected \(example)"
            ),
            (#""end":"soon""#, "end: expected a moment with an offset, as \(example), found 'soon'"),
            (#""start":1796079600000"#, "start: expected a string, found a number"),
            (
                #""end":"2026-12-01T00:00:00Z","start":"2026-12-01T01:00:00+01:00""#,
                "start: the end is not after the start, so nothing lies between"
            ),
            (
                #""start":"2026-12-01T00:00:00Z","end":"2026-11-01T00:00:00Z""#,
                "end: the end is not after the start, so nothing lies between"
            ),
        ])
    func faults(schedule: String, sentence: String) throws {
        let document = try ScheduleRig.document(
            #"{"f":{"enabled":false,"rules":[{"id":"r","enabled":true,\#(schedule)}]}}"#,
            more: #","experiments":[{"id":"e",\#(schedule),"variants":[{"name":"a"}]}]"#)
        let warnings = document.warnings.map { "\($0)" }
        let places = [
            ("features.f.rules[0].", "the rule matches no context"),
            ("experiments[0].", "the experiment gives no unit a variant"),
        ]
        #expect(warnings.count == places.count)
        for (place, effect) in places {
            #expect(warnings.contains { $0.hasPrefix("\(place)\(sentence); \(effect) (line") }, "\(warnings)")
        }
        let features = Features(document.features, experiments: document.experiments)
        #expect(!features.isEnabled("f"))
        let assignment = features.experiments.variant(of: "e", default: "-", for: FeatureContext(userID: "u"))
        #expect(assignment.reason == .unusable)
    }

    @Test(
        "a text is read as RFC 3339 has it",
        arguments: [
            ("2023-11-14T22:13:20Z", 1_700_000_000_000), ("2023-11-14T23:43:20+01:30", 1_700_000_000_000),
            ("2023-11-14T20:13:20-02:00", 1_700_000_000_000), ("2023-11-14t22:13:20.5z", 1_700_000_000_500),
            ("2023-11-14T22:13:20.123456789Z", 1_700_000_000_123), ("2024-02-29T00:00:00Z", 1_709_164_800_000),
            ("1970-01-01T00:00:00Z", 0), ("1969-12-31T23:59:59.999Z", -1),
            ("0000-01-01T00:00:00Z", -62_167_219_200_000),
            ("9999-12-31T23:59:59Z", 253_402_300_799_000), ("2000-02-29T12:00:00+00:00", 951_825_600_000),
        ] as [(String, Int64)])
    func instants(text: String, milliseconds: Int64) {
        #expect(Instant(text)?.milliseconds == milliseconds)
    }

    @Test(
        "what is no time, or has no offset, is not read",
        arguments: [
            "", "2023-11-14", "2023-11-14T22:13:20", "2023-11-14T22:13Z", "2023-02-29T00:00:00Z",
            "1900-02-29T00:00:00Z", "2023-04-31T00:00:00Z", "2023-04-00T00:00:00Z", "2023-13-01T00:00:00Z",
            "2023-00-01T00:00:00Z", "2023-11-14T24:00:00Z", "2023-11-14T22:60:00Z", "2023-11-14T22:13:60Z",
            "2023-11-14T22:13:20+24:00", "2023-11-14T22:13:20+00:60", "2023-11-14T22:13:20+0100",
            "2023-11-14T22:13:20+01", "2023-11-14T22:13:20.Z", "2023-11-14T22:13:20.1234567890Z",
            " 2023-11-14T22:13:20Z", "2023-11-14T22:13:20ZZ", "2023-11-14 22:13:20Z", "٢٠٢٣-11-14T22:13:20Z",
            "+023-11-14T22:13:20Z",
        ])
    func unreadable(text: String) {
        #expect(Instant(text) == nil)
    }
}
