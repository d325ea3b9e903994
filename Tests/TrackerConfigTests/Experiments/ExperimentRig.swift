import TrackerCore
import TrackerTesting

@testable import TrackerConfig
@testable import TrackerFeatures

/// A process after another over one state directory, with experiments that a test hands out.
final class ExperimentRig: Sendable {
    let directory = TemporaryDirectory()
    let time = ManualTime()
    let log = MemoryLog()
    /// The variants that overrides force.
    let forced = Locked<[String: String]>([:])
    private let table = Locked(ExperimentTable.empty)

    /// Where the assignments are kept.
    var storePath: String { directory.file("state/assignments.sqlite") }

    /// Starts a process, which has no document yet.
    func start(configure: (inout Experiments.Parts) -> Void = { _ in }) -> Experiments {
        let (table, forced) = (self.table, self.forced)
        var parts = Experiments.Parts(table: { table.withLock { $0 } })
        parts.forced = { id in forced.withLock { $0[id] } }
        parts.storePath = storePath
        parts.log = Log(log, level: .debug)
        parts.time = time
        configure(&parts)
        return Experiments(parts)
    }

    /// Lets a process use a document with these experiments, as a setup would.
    @discardableResult
    func use(
        _ list: [Experiment], version: Int? = 1, in experiments: Experiments
    ) -> [String] {
        let new = ExperimentTable(version: version, experiments: list)
        let warnings = experiments.open(for: new)
        table.withLock { $0 = new }
        return warnings.map(\.description)
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
