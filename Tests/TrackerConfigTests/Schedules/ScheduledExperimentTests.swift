import TestSupport
import Testing
import TrackerFeatures
import TrackerTesting

/// Experiments before, in and after their time.
@Suite("Scheduled experiments", .endsWhenItHangs)
struct ScheduledExperimentTests {
    private let rig = ExperimentRig()

    private static func experiment(_ schedule: Schedule?, isSticky: Bool = false, forced: String? = nil) -> Experiment {
        Experiment(
            id: "x", isSticky: isSticky, targeting: Targeting(schedule: schedule), forcedVariant: forced,
            variants: [ExperimentVariant(name: "a", weight: 0), ExperimentVariant(name: "b", weight: 1)])
    }

    /// From the next second on, for a second.
    private static let nextSecond = Schedule(
        start: Instant(milliseconds: 1_700_000_001_000), end: Instant(milliseconds: 1_700_000_002_000))

    @Test("an experiment gives variants from its start on, until just before its end", arguments: [nil, "b"])
    func time(forced: String?) {
        let experiments = rig.run(Self.experiment(Self.nextSecond, forced: forced))
        #expect(experiments.short() == "- scheduled")
        rig.time.advance(by: .seconds(1))
        #expect(experiments.short() == (forced == nil ? "b assigned" : "b forced"))
        rig.time.advance(by: .seconds(1))
        #expect(experiments.short() == "- scheduled")
        // As for a disabled one.
        rig.force(["x": "a"], in: experiments)
        #expect(experiments.short() == "a forced")
    }

    @Test("what is stored stays while it is not the experiment's time")
    func sticky() async {
        let experiments = rig.run(Self.experiment(nil, isSticky: true))
        #expect(experiments.short() == "b assigned*")
        await experiments.settle()
        rig.use([Self.experiment(Self.nextSecond, isSticky: true)], version: 2, in: experiments)
        #expect(experiments.short() == "- scheduled")
        await experiments.settle()
        rig.time.advance(by: .seconds(1))
        #expect(experiments.short() == "b sticky*")
        rig.time.advance(by: .seconds(1))
        #expect(experiments.short() == "- scheduled")
        await experiments.settle()
        let other = rig.start()
        rig.use([Self.experiment(nil, isSticky: true)], version: 3, in: other)
        #expect(other.short() == "b sticky*")
    }
}
