import TrackerConfig
import TrackerCore
import TrackerTesting

@testable import TrackerFeatures

/// A process after another over one state directory, with experiments that a test hands out.
final class ExperimentRig: Sendable {
    let directory = TemporaryDirectory()
    let time = ManualTime()
    let log = MemoryLog()

    /// Where the assignments are kept.
    var storePath: String { directory.file("state/assignments.sqlite") }

    /// Starts a process, which has no document yet.
    func start(
        default experiments: [Experiment] = [], configure: (inout Experiments.Parts) -> Void = { _ in }
    ) -> Experiments {
        var parts = Experiments.Parts()
        parts.storePath = storePath
        parts.log = Log(log, level: .debug)
        parts.time = time
        configure(&parts)
        let features = FeatureStore(
            FeatureOptions(), defaultFeatures: [], defaultExperiments: experiments, log: parts.log)
        return Experiments(features, parts)
    }

    /// Lets a process use a document with these experiments and features, as a setup would.
    @discardableResult
    func use(
        _ list: [Experiment], _ features: [FeatureDefinition] = [], version: Int? = 1, in experiments: Experiments
    ) -> [String] {
        guard let version else {
            // What a provider gives has no version.
            let rules = list.map { FeatureRule(id: $0.id, experiment: $0) }
            let provided = experiments.features.provided(
                [FeatureDefinition(name: "f", rules: rules)], by: .provider("p"), number: 1)
            experiments.features.change { ($0.remote, $0.provided) = (nil, [provided]) }
            return []
        }
        let new = FeatureStore.Remote(version: version, features: features, experiments: list)
        let warnings = experiments.open(for: new.experiments)
        let layer = experiments.features.layer(of: new)
        experiments.features.change { ($0.remote, $0.provided) = ((new, layer), []) }
        return warnings.map(\.description)
    }

    /// Forces variants by overrides.
    func force(_ variants: [String: String], in experiments: Experiments) {
        var overrides = Overrides()
        for (experiment, variant) in variants {
            overrides.put(FeatureOverride(experiment: experiment, value: .string(variant)))
        }
        experiments.features.change { [overrides] in $0.overrides = overrides }
    }

    /// A process that uses these experiments.
    func run(
        _ list: Experiment..., version: Int? = 1,
        configure: (inout Experiments.Parts) -> Void = { _ in }
    ) -> Experiments {
        let experiments = start(configure: configure)
        use(list, version: version, in: experiments)
        return experiments
    }

    /// A process that uses these experiments over a store of the fleet.
    func run(
        _ list: Experiment..., over store: any AssignmentStore,
        configure: (inout Experiments.Parts) -> Void = { _ in }
    ) -> Experiments {
        let experiments = start { parts in
            parts.options.assignmentStore = store
            configure(&parts)
        }
        use(list, in: experiments)
        return experiments
    }

    /// Opens the file of assignments, as another process does.
    func open() throws -> AssignmentFile {
        try AssignmentFile(path: storePath, time: time, log: Log(log, level: .debug))
    }

    /// An assignment of the present.
    func assignment(
        _ variant: String, of experiment: String = "x", for user: String = "u-1", replacing replaced: String? = nil
    ) -> StickyAssignment {
        StickyAssignment(
            unit: ExperimentUnit(name: "userId", id: user), experiment: experiment, variant: variant, date: time.now,
            replaced: replaced)
    }
}

extension Experiment {
    /// An experiment with variants of these weights, named a, b, c …
    static func weighted(
        _ weights: Double..., id: String = "x", isSticky: Bool = false, coverage: Double = 1,
        countries: [String]? = nil, languages: [String]? = nil
    ) -> Experiment {
        let variants = zip("abcdef", weights).map { name, weight in
            ExperimentVariant(name: "\(name)", weight: weight, values: ["f": ["v": .string("\(name)")]])
        }
        return Experiment(
            id: id, coverage: coverage, isSticky: isSticky, countries: countries, languages: languages,
            variants: variants)
    }
}

extension Experiments {
    /// What a user gets: `a assigned`, with `*` where it is stored.
    func short(_ id: String = "x", _ user: String = "u-1") -> String {
        variant(of: id, default: "-", for: FeatureContext(userID: user)).short
    }

    /// What a context gets once its units are loaded.
    func loaded(_ id: String, for context: FeatureContext) async -> ExperimentAssignment {
        await prepare(for: context)
        return variant(of: id, default: "-", for: context)
    }

    /// Waits until the store has been told everything.
    func settle() async {
        _ = await flush(timeout: .seconds(60))
    }
}

extension LocalAssignmentStore {
    /// The variant of a unit, nil if none is stored.
    func variant(of experiment: String, for unit: ExperimentUnit) throws -> String? {
        try storedAssignments(of: unit)?.assignment(of: experiment)?.variant
    }
}

extension ExperimentAssignment {
    var short: String { "\(variant) \(reason.rawValue)\(isSticky ? "*" : "")" }
}
