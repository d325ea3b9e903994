extension Experiments {
    /// The schema of the assignments that events carry.
    static let assignmentsSchema = "iglu:io.tracker-config/assignments/jsonschema/1-0-0"

    /// The tag under which trackers attach them.
    static let entityTag = "io.tracker-config/assignments"

    /// Lets the chosen trackers attach the document's version and what their events' units were given. Called after each
    /// configuration, as it may add trackers.
    /// - Parameter trackers: All trackers by namespace.
    package func attach(to trackers: [String: Tracker]) {
        for namespace in parts.options.entityNamespaces {
            guard let tracker = trackers[namespace] else { continue }
            // The experiments hold the tracker.
            let entities = GlobalEntities.Origin.generated { [weak self] event in self?.entities(for: event) ?? [] }
            tracker.addGlobalEntities(
                tag: Self.entityTag, entities, to: .events { $0.schema != Experiments.exposureSchema })
        }
    }

    private func entities(for event: TrackedEvent) -> [Entity] {
        guard forkGuard.isOwnProcess else { return [] }
        let table = parts.table()
        var units: [ExperimentUnit] = []
        if let context = parts.options.entityContext {
            units = Self.units(of: context(event), table)
        } else if let evaluation = event.mergedEvaluation {
            units = Self.units(of: evaluation, table)
        } else if let userID = event.mergedSubject.userID, !userID.isEmpty {
            units = [ExperimentUnit(name: "userId", id: userID)]
        }
        let sorted = units.sorted { ExactText($0.name) < ExactText($1.name) }
        let given = state.withLock { state in
            sorted.flatMap { unit in state.memory.read(unit) { $0.given } ?? [] }
        }
        // Of two variants of one experiment, as after a change of what is stored, the later counts.
        var assignments = JSONObject()
        for given in given where table.experiment(given.experiment)?.digest == given.content {
            assignments[given.experiment] = .string(given.variant)
        }
        if table.version == nil, assignments.isEmpty { return [] }
        let list = assignments.members.map { experiment, variant -> JSONValue in
            ["experiment": Self.text(experiment), "variant": Self.text(variant.string ?? "")]
        }
        var data: [(String, JSONValue)] = []
        if let version = table.version { data.append(("version", .int(version))) }
        data.append(("assignments", .array(list)))
        return [Entity(schema: Self.assignmentsSchema, data: JSONObject(data))]
    }

    private static func units(of context: FeatureContext?, _ table: ExperimentTable) -> [ExperimentUnit] {
        context.map { context in table.units.compactMap { context.unit($0.text) } } ?? []
    }
}
