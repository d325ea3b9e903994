extension Experiments {
    /// The schema of an exposure.
    static let exposureSchema = "iglu:io.tracker-config/exposure/jsonschema/1-0-1"

    /// The maximum length of a string in the schemas, in Unicode scalars.
    private static let longestText = 2048

    /// Notes that a unit got a variant.
    /// - Returns: Whether it is new.
    func isFirst(_ variant: CompiledVariant, of experiment: CompiledExperiment, to unit: ExperimentUnit) -> Bool {
        let exposure = Exposure(
            experiment: ExactText(experiment.id), variant: ExactText(variant.name), content: experiment.digest)
        let (isFirst, evicted) = state.withLock { state -> (Bool, [ExperimentUnit: [Exposure]]) in
            if state.exposures[unit]?.contains(exposure) ?? false { return (false, [:]) }
            let evicted = state.exposureCount >= parts.memoryLimit ? state.exposures : [:]
            if !evicted.isEmpty { (state.exposures, state.exposureCount) = ([:], 0) }
            state.exposures[unit, default: []].append(exposure)
            state.exposureCount += 1
            return (true, evicted)
        }
        // Counted and released outside the lock, because they may be many.
        if !evicted.isEmpty {
            let count = evicted.values.reduce(0) { $0 + $1.count }
            sticky.state.withLock { $0.counters.exposuresEvicted += count }
        }
        return isFirst
    }

    /// Records an exposure with an event about the unit: if the unit belongs to the request that is bound to the task,
    /// with the request's subject, otherwise without the fields of any other user.
    func expose(
        _ variant: CompiledVariant, of experiment: CompiledExperiment, version: Int?, to unit: ExperimentUnit,
        isSticky: Bool
    ) {
        let namespaces = parts.options.exposureNamespaces
        if namespaces.isEmpty { return }
        var (tracked, sampledOut) = (0, 0)
        let context = TrackingContext.current
        let isBound = context?.evaluation?.unit(unit.name) == unit
        for namespace in namespaces {
            guard let tracker = parts.tracker(namespace) else { continue }
            var data: [(String, JSONValue)] = [
                ("experiment", Self.text(experiment.id)), ("variant", Self.text(variant.name)),
                ("unit", Self.text(unit.name)),
            ]
            // The exposure of an anonymous request must not identify a user, whichever unit it is about.
            let isAnonymous = tracker.isUserAnonymous || context?.subject.isAnonymous == true
            if !isAnonymous { data.append(("unitId", Self.text(unit.id))) }
            if let version { data.append(("version", .int(version))) }
            data.append(("sticky", .bool(isSticky)))
            let event = SelfDescribing(schema: Self.exposureSchema, data: JSONObject(data))
            let result =
                isBound
                ? tracker.result(of: event)
                : withTrackingContext(nil) {
                    tracker.result(of: event, subject: subject(of: unit, isAnonymous, for: tracker))
                }
            switch result {
            case .success: tracked += 1
            case .failure(.sampledOut): sampledOut += 1
            case .failure: break
            }
        }
        let (taken, lost) = (tracked, namespaces.count - tracked - sampledOut)
        sticky.state.withLock { state in
            state.counters.exposuresTracked += taken
            state.counters.exposuresLost += lost
        }
    }

    /// The subject of a unit's exposure outside a request; nil to use the tracker's own subject, if it is about the
    /// unit.
    private func subject(of unit: ExperimentUnit, _ isAnonymous: Bool, for tracker: Tracker) -> EventSubject? {
        guard unit.name.isExactly("userId") else { return EventSubject(isAnonymous: isAnonymous, cleared: .all) }
        if !isAnonymous, let userID = tracker.subjectUserID, userID.isExactly(unit.id) { return nil }
        return EventSubject(userID: unit.id, isAnonymous: isAnonymous, cleared: .all)
    }

    /// A string shortened to the maximum length of the schemas.
    static func text(_ text: String) -> JSONValue {
        // Most strings are short, and counting bytes is faster than counting scalars.
        if text.utf8.count <= longestText { return .string(text) }
        return .string(String(String.UnicodeScalarView(text.unicodeScalars.prefix(longestText))))
    }
}
