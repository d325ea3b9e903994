import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerFeatures

/// What is told of a unit that was given a variant.
@Suite("Exposures", .endsWhenItHangs)
struct ExposureTests {
    private let rig = ExperimentRig()
    private let site = ExposureSite()

    private func run(
        _ list: Experiment..., version: Int? = 7, namespaces: [String] = ["a"],
        configure: (inout Experiments.Parts) -> Void = { _ in }
    ) -> Experiments {
        let experiments = rig.start { [site] parts in
            parts.tracker = { site.registry.tracker($0) }
            parts.options.exposureNamespaces = namespaces
            configure(&parts)
        }
        rig.use(list, version: version, in: experiments)
        return experiments
    }

    @Test("the first time a unit is given a variant is told with all that is known, and no other time")
    func once() async {
        let experiments = run(.weighted(0, 1, id: "x"), .weighted(1, 0, id: "y", isSticky: true))
        for _ in 0..<3 {
            #expect(experiments.short("x") == "b assigned")
            _ = experiments.short("y")
        }
        #expect(
            await site.told() == [
                #"a {"experiment":"x","variant":"b","unit":"userId","unitId":"u-1","version":7,"sticky":false}"#,
                #"a {"experiment":"y","variant":"a","unit":"userId","unitId":"u-1","version":7,"sticky":true}"#,
            ])
        #expect(experiments.counters.exposuresTracked == 2)
        #expect(experiments.counters.exposuresLost == 0)
    }

    @Test("another unit, variant or content of the experiment is recorded again; content that comes back is not")
    func again() async {
        let experiments = run(.weighted(0, 1))
        _ = experiments.short("x", "u-1")
        _ = experiments.short("x", "u-2")
        rig.use([.weighted(1, 0)], version: 7, in: experiments)
        _ = experiments.short("x", "u-1")
        rig.use([.weighted(1, 0, countries: [])], version: 8, in: experiments)
        rig.use([.weighted(2, 0)], version: nil, in: experiments)
        _ = experiments.short("x", "u-1")
        rig.use([.weighted(1, 0)], version: 9, in: experiments)
        _ = experiments.short("x", "u-1")
        let told = await site.told()
        #expect(told.count == 4)
        #expect(told.last == #"a {"experiment":"x","variant":"a","unit":"userId","unitId":"u-1","sticky":false}"#)
    }

    @Test("versions that change something else record no exposure again")
    func unrelated() async {
        let experiments = run(.weighted(0, 1))
        for version in 8..<20 {
            rig.use([.weighted(0, 1), .weighted(1, 0, id: "other-\(version)")], version: version, in: experiments)
            for user in 0..<5 { #expect(experiments.short("x", "u-\(user)") == "b assigned") }
        }
        #expect(await site.told().count == 5)
        #expect(experiments.counters.exposuresTracked == 5)
    }

    @Test("a stored variant that a process meets for the first time is told too")
    func sticky() async {
        let other = rig.run(.weighted(0, 1, isSticky: true))
        _ = other.short()
        await other.settle()
        let experiments = run(.weighted(1, 0, isSticky: true))
        for _ in 0..<2 { #expect(experiments.short() == "b sticky*") }
        #expect(
            await site.told() == [
                #"a {"experiment":"x","variant":"b","unit":"userId","unitId":"u-1","version":7,"sticky":true}"#
            ])
    }

    @Test("a forced variant, a default and what is explained are never told")
    func never() async {
        let experiments = run(
            .weighted(0, 1), .weighted(1, id: "nobody", coverage: 0), .weighted(1, id: "us", countries: ["US"]))
        _ = experiments.variant(of: "x", default: "", for: FeatureContext(userID: "u-1"), recordsExposure: false)
        rig.force(["x": "b"], in: experiments)
        for id in ["x", "nobody", "us", "unknown"] { _ = experiments.short(id) }
        _ = experiments.variant(of: "x", default: "-", for: FeatureContext())
        #expect(await site.told() == [])
        #expect(experiments.counters == ExperimentCounters())
    }

    @Test("each chosen namespace is told; one without a tracker, or whose tracker takes nothing, is counted")
    func lost() async {
        let experiments = run(.weighted(0, 1), namespaces: ["a", "b", "none"])
        site.registry.tracker("b")?.pause()
        _ = experiments.short()
        _ = experiments.short()
        #expect(await site.told().map { $0.prefix(2) } == ["a "])
        #expect(experiments.counters.exposuresTracked == 1)
        #expect(experiments.counters.exposuresLost == 2)
        #expect(rig.run(.weighted(0, 1)).counters.exposuresLost == 0)
    }

    @Test("where users are anonymous the unit's id is left out")
    func anonymous() async throws {
        try site.registry.tracker("a")?.settings.set(\.userAnonymisation, to: true)
        _ = run(.weighted(0, 1)).short()
        #expect(
            await site.told() == [#"a {"experiment":"x","variant":"b","unit":"userId","version":7,"sticky":false}"#])
    }

    @Test("of more exposures than can be remembered all are forgotten, counted, and told again")
    func bound() async {
        let experiments = run(.weighted(0, 1)) { $0.memoryLimit = 40 }
        for user in 0..<100 {
            _ = experiments.short("x", "u-\(user)")
            _ = experiments.short("x", "always")
        }
        let counters = experiments.counters
        #expect(counters.exposuresTracked == 103)
        #expect(counters.exposuresEvicted == 80)
        _ = experiments.short("x", "u-0")
        #expect(experiments.counters.exposuresTracked == 104)
    }

    @Test("threads that give one unit its variant at the same time tell it once")
    func threads() async {
        let experiments = run(.weighted(0, 1), .weighted(0, 1, id: "y", isSticky: true))
        await Threads.run(4) { _ in
            for user in 0..<50 { for id in ["x", "y"] { _ = experiments.short(id, "u-\(user)") } }
        }
        #expect(experiments.counters.exposuresTracked == 100)
    }

    @Test("a plugin may evaluate while an exposure is tracked")
    func reentrance() async {
        let experiments = run(.weighted(0, 1), .weighted(0, 1, id: "y"))
        var plugin = Plugin(name: "evaluates")
        plugin.afterTrack { [unowned experiments] _ in _ = experiments.short("y") }
        site.registry.tracker("a")?.add(plugin)
        _ = experiments.short("x")
        #expect(await site.told().count == 2)
    }

    @Test(
        "exposures and assignments are good for a collector that checks the project's schemas",
        .enabled(if: Micro.isHere, "the shared collector is not beside the checkout"), .mayBlock)
    func schemas() async throws {
        let micro = try Micro()
        let site = ExposureSite(transport: nil, endpoint: micro.url)
        let long = String(repeating: "é", count: 5000)
        // The longest id that is used.
        let id = String(long.prefix(512))
        let experiments = rig.start { parts in
            parts.tracker = { site.registry.tracker($0) }
            parts.options.exposureNamespaces = ["a", "b"]
            parts.options.entityNamespaces = ["a", "b"]
        }
        site.registry.trackers.values.forEach(experiments.attach)
        try site.registry.tracker("b")?.settings.set(\.userAnonymisation, to: true)
        for version in [nil, 0, 9_007_199_254_740_991] {
            // Other content each time, which is recorded again.
            let seed = "\(version ?? -1)"
            let list = [
                Experiment(id: "", seed: seed, variants: [ExperimentVariant(name: "")]),
                Experiment(id: long, seed: seed, isSticky: true, variants: [ExperimentVariant(name: "a")]),
                Experiment(id: "x", unit: long, seed: seed, variants: [ExperimentVariant(name: long)]),
            ]
            rig.use(list, version: version, in: experiments)
            let context = FeatureContext(units: ["userId": id, long: id])
            for experiment in list { _ = experiments.variant(of: experiment.id, default: "-", for: context) }
            withTrackingContext(TrackingContext(evaluation: FeatureContext(units: ["userId": id, "é": "x"]))) {
                for namespace in ["a", "b"] {
                    _ = site.registry.tracker(namespace)?.track(Structured(category: "cart", action: "add"))
                }
            }
        }
        #expect(experiments.counters.exposuresTracked == 18)
        for namespace in ["a", "b"] {
            #expect(await site.registry.tracker(namespace)?.flush(timeout: .seconds(300)).sent == 12)
        }
        await site.pipeline.shutdown()
        #expect(try await micro.get("/micro/bad").array?.count == 0)
        #expect(try await micro.get("/micro/all")["total"]?.int == 24)
    }

    @Test("is an event of the request's user if the unit is the request's, else of the unit alone")
    func subject() async throws {
        let experiments = run(.weighted(0, 1))
        let tracker = try #require(site.registry.tracker("a"))
        try tracker.subject.set(\.domainUserID, to: "process")
        let request = TrackingContext(
            subject: EventSubject(userID: "ann", ipAddress: "10.0.0.1"), evaluation: FeatureContext(userID: "ann"))
        withTrackingContext(request) {
            _ = experiments.variant(of: "x", default: "-")
            _ = experiments.short("x", "bob")
        }
        _ = experiments.short("x", "carl")
        try tracker.subject.set(\.userID, to: "dora")
        _ = experiments.short("x", "dora")
        let anonymous = TrackingContext(
            subject: EventSubject(userID: "eve", isAnonymous: true), evaluation: FeatureContext(userID: "eve"))
        withTrackingContext(anonymous) { _ = experiments.variant(of: "x", default: "-") }
        let events = await site.events()
        #expect(events.map { $0["uid"] } == ["ann", "bob", "carl", "dora", nil])
        #expect(events.map { $0["ip"] } == ["10.0.0.1", nil, nil, nil, nil])
        #expect(events.map { $0["duid"] } == ["process", nil, nil, "process", nil])
        let last = await site.told().last
        #expect(last?.contains("unitId") == false)
    }

    @Test(
        "names no user in an anonymous request, whatever context is given, and nothing of the tracker's for another unit"
    )
    func anonymousRequest() async throws {
        let experiments = run(.weighted(0, 1))
        let tracker = try #require(site.registry.tracker("a"))
        try tracker.subject.set(\.domainUserID, to: "process")
        withTrackingContext(TrackingContext(subject: EventSubject(isAnonymous: true))) {
            _ = experiments.short("x", "ann")
        }
        let variant = ExperimentVariant(name: "a", weight: 1, values: [:])
        rig.use([Experiment(id: "y", unit: "deviceId", variants: [variant])], version: 8, in: experiments)
        _ = experiments.variant(of: "y", default: "-", for: FeatureContext(units: ["deviceId": "d-2"]))
        let events = await site.events()
        #expect(events.map { $0["uid"] } == [nil, nil])
        #expect(events.map { $0["duid"] } == [nil, nil])
        let told = await site.told()
        #expect(told.map { $0.contains("unitId") } == [false, true])
    }

    @Test("that sampling leaves out is not counted as lost")
    func sampled() async throws {
        let experiments = run(.weighted(0, 1))
        try site.registry.tracker("a")?.settings.set(\.sampling, to: Sampling(rate: 0))
        _ = experiments.short("x", "ann")
        #expect(experiments.counters.exposuresTracked == 0)
        #expect(experiments.counters.exposuresLost == 0)
        #expect(site.registry.tracker("a")?.counters.sampledOut == 1)
    }
}
