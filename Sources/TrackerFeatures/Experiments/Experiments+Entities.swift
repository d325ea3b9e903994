extension Experiments {
    /// The schema of the assignments in events.
    static let assignmentsSchema = "iglu:io.tracker-config/assignments/jsonschema/1-0-1"

    /// The tag of the trackers' global entities for assignments.
    static let entityTag = "io.tracker-config/assignments"

    /// Attaches the document's version and the variants of each event's units to the events of a tracker, if
    /// ``ExperimentOptions/entityNamespaces`` includes it. Called before the tracker can be used.
    package func attach(to tracker: Tracker) {
        guard parts.options.entityNamespaces.contains(where: { $0.isExactly(tracker.namespace) }) else { return }
        // The experiments retain the tracker.
        tracker.addGlobalEntities(
            tag: Self.entityTag, to: .events { $0.schema != Experiments.exposureSchema }
        ) { [weak self] event in self?.entities(for: event) ?? [] }
    }

    private func entities(for event: TrackedEvent) -> [Entity] {
        // The document of the event's settings, which may just have been replaced.
        let tables = features.layers.experiments(with: event.experiments as? ExperimentTable)
        var units: [ExperimentUnit] = []
        if let evaluation = event.mergedEvaluation {
            // Variants that a tester forces are not assignments.
            units = evaluation.hasOverrides ? [] : Self.units(of: evaluation, tables)
        } else if let userID = event.mergedSubject.userID, !userID.isEmpty {
            units = [ExperimentUnit(name: "userId", id: userID)]
        }
        let sorted = units.sorted { ExactText($0.name) < ExactText($1.name) }
        let given = state.withLock { state in
            sorted.flatMap { state.exposures[$0] ?? [] }
        }
        // If an experiment has two variants, as after a change of the stored one, the later one applies.
        var assignments = JSONObject()
        for given in given {
            let experiment = tables.lazy.compactMap { $0.experiment(given.experiment.text) }.first
            guard let experiment, experiment.digest == given.content else { continue }
            if experiment.experiment.targeting.schedule != nil, !experiment.isCurrent(at: clock.now) { continue }
            assignments[given.experiment.text] = .string(given.variant.text)
        }
        let version = tables.first?.version
        if version == nil, assignments.isEmpty { return [] }
        let list = assignments.members.map { experiment, variant -> JSONValue in
            ["experiment": Self.text(experiment), "variant": Self.text(variant.string ?? "")]
        }
        var data: [(String, JSONValue)] = []
        if let version { data.append(("version", .int(version))) }
        data.append(("assignments", .array(list)))
        return [Entity(schema: Self.assignmentsSchema, data: JSONObject(data))]
    }

    private static func units(of context: FeatureContext, _ tables: [ExperimentTable]) -> [ExperimentUnit] {
        let names = tables.dropFirst().reduce(into: tables.first?.units ?? []) { $0.formUnion($1.units) }
        return names.compactMap { context.unit($0.text) }
    }
}
