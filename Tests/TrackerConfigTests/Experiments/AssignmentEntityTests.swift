import TestSupport
import Testing
import TrackerConfig
import TrackerFeatures
import TrackerTesting

/// What events carry of their unit's variants.
@Suite("The entity of assignments", .endsWhenItHangs)
struct AssignmentEntityTests {
    private let rig = ExperimentRig()
    private let site = ExposureSite()

    private func start(configure: (inout Experiments.Parts) -> Void = { _ in }) -> Experiments {
        let experiments = rig.start { [site] parts in
            parts.tracker = { site.registry.tracker($0) }
            parts.options.entityNamespaces = ["a"]
            configure(&parts)
        }
        site.registry.trackers.values.forEach(experiments.attach)
        return experiments
    }

    private func track(_ namespace: String = "a") {
        site.registry.tracker(namespace)?.track(Structured(category: "cart", action: "add"))
    }

    /// The entities of all events so far, each event's on one line.
    private func entities() async -> [String] {
        await site.events().map { event in
            guard let text = event["co"], let list = try? JSONReader.read(Array(text.utf8)).value["data"]?.array else {
                return ""
            }
            let own = list.filter {
                $0["schema"]?.string == "iglu:io.tracker-config/assignments/jsonschema/1-0-1"
            }
            return own.map { "\($0["data"] ?? .null)" }.joined(separator: " ")
        }
    }

    @Test("every event of a chosen namespace carries the version and what its user was given under it")
    func user() async throws {
        let experiments = start()
        rig.use([.weighted(0, 1), .weighted(1, 0, id: "y"), .weighted(1, id: "z")], version: 7, in: experiments)
        track()
        for id in ["y", "x", "x"] { _ = experiments.short(id) }
        track()
        try site.registry.tracker("a")?.subject.set(\.userID, to: "u-1")
        track()
        track("b")
        try site.registry.tracker("a")?.subject.set(\.userID, to: "u-2")
        track()
        let none = #"{"version":7,"assignments":[]}"#
        let both = #"{"experiment":"y","variant":"a"},{"experiment":"x","variant":"b"}"#
        let expected = [none, none, #"{"version":7,"assignments":[\#(both)]}"#, "", none]
        #expect(await entities().sorted() == expected.sorted())
    }

    @Test("a newer document's events carry what its own experiments gave, with the same content")
    func version() async throws {
        let experiments = start()
        try site.registry.tracker("a")?.subject.set(\.userID, to: "u-1")
        rig.use([.weighted(0, 1), .weighted(1, 0, id: "y")], version: 7, in: experiments)
        for id in ["x", "y"] { _ = experiments.short(id) }
        rig.use([.weighted(0, 2), .weighted(1, 0, id: "y")], version: 8, in: experiments)
        track()
        _ = experiments.short("x")
        track()
        let y = #"{"experiment":"y","variant":"a"}"#
        #expect(
            await entities() == [
                #"{"version":8,"assignments":[\#(y)]}"#,
                #"{"version":8,"assignments":[\#(y),{"experiment":"x","variant":"b"}]}"#,
            ])
    }

    @Test("once an experiment is over, events no longer carry what it gave")
    func over() async throws {
        let experiments = start()
        try site.registry.tracker("a")?.subject.set(\.userID, to: "u-1")
        let end = Schedule(end: Instant(milliseconds: 1_700_000_001_000))
        let experiment = Experiment(
            id: "x", targeting: Targeting(schedule: end), variants: [ExperimentVariant(name: "a")])
        rig.use([experiment], version: 7, in: experiments)
        _ = experiments.short()
        track()
        rig.time.advance(by: .seconds(1))
        track()
        #expect(
            await entities() == [
                #"{"version":7,"assignments":[{"experiment":"x","variant":"a"}]}"#, #"{"version":7,"assignments":[]}"#,
            ])
    }

    @Test("a forced variant and what was explained are no assignments")
    func notGiven() async throws {
        let experiments = start()
        try site.registry.tracker("a")?.subject.set(\.userID, to: "u-1")
        rig.use([.weighted(0, 1)], version: 7, in: experiments)
        rig.force(["x": "a"], in: experiments)
        _ = experiments.short()
        rig.force([:], in: experiments)
        _ = experiments.variant(of: "x", default: "", for: FeatureContext(userID: "u-1"), recordsExposure: false)
        track()
        #expect(await entities() == [#"{"version":7,"assignments":[]}"#])
    }

    @Test("without a version and without assignments there is no entity")
    func nothing() async throws {
        let experiments = start()
        track()
        rig.use([.weighted(0, 1)], version: nil, in: experiments)
        try site.registry.tracker("a")?.subject.set(\.userID, to: "u-1")
        track()
        _ = experiments.short()
        track()
        #expect(await entities() == ["", "", #"{"assignments":[{"experiment":"x","variant":"b"}]}"#])
    }

    @Test("an exposure carries none, and a tracker that is attached again carries one")
    func single() async {
        let experiments = start { $0.options.exposureNamespaces = ["a"] }
        rig.use([.weighted(0, 1)], version: 7, in: experiments)
        site.registry.trackers.values.forEach(experiments.attach)
        site.registry.trackers.values.forEach(experiments.attach)
        _ = experiments.short()
        track()
        #expect(await entities() == ["", #"{"version":7,"assignments":[]}"#])
    }

    @Test("trackers keep the experiments no longer than their owner does")
    func lifetime() async {
        weak var released: Experiments?
        do {
            let experiments = start()
            rig.use([.weighted(0, 1)], version: 7, in: experiments)
            released = experiments
            #expect(experiments.short() == "b assigned")
        }
        #expect(released == nil)
        track()
        #expect(await entities() == [""])
    }

    @Test("has the variants of all units of the request")
    func units() async {
        let experiments = start()
        let device = Experiment(id: "d", unit: "deviceId", variants: [ExperimentVariant(name: "on")])
        rig.use([.weighted(0, 1), device], version: 7, in: experiments)
        let context = FeatureContext(units: ["userId": "u-9", "deviceId": "d", "empty": ""])
        for id in ["x", "d"] { _ = experiments.variant(of: id, default: "-", for: context) }
        withTrackingContext(TrackingContext(evaluation: context)) { track() }
        let both = #"{"experiment":"d","variant":"on"},{"experiment":"x","variant":"b"}"#
        #expect(await entities() == [#"{"version":7,"assignments":[\#(both)]}"#])
    }

    @Test("has the units of the request, else of the event's own user, also of an anonymous one")
    func request() async {
        let experiments = start()
        rig.use([.weighted(0, 1)], version: 7, in: experiments)
        for user in ["ann", "bob"] { _ = experiments.short("x", user) }
        let tracker = site.registry.tracker("a")
        let event = Structured(category: "cart", action: "add")
        _ = withTrackingContext(TrackingContext(evaluation: FeatureContext(userID: "ann"))) { tracker?.track(event) }
        withTrackingContext(TrackingContext(evaluation: FeatureContext(userID: "carl"))) {
            _ = tracker?.track(event, subject: EventSubject(userID: "ann"))
        }
        tracker?.track(event, subject: EventSubject(userID: "bob", isAnonymous: true))
        tracker?.track(event)
        let given = #"{"version":7,"assignments":[{"experiment":"x","variant":"b"}]}"#
        let none = #"{"version":7,"assignments":[]}"#
        #expect(await entities() == [given, none, given, none])
    }
}
