extension Experiments {
    /// The schema of an exposure.
    static let exposureSchema = "iglu:io.tracker-config/exposure/jsonschema/1-0-1"

    /// The longest text that the schemas take, in Unicode scalars.
    private static let longestText = 2048

    /// Notes that a unit was given a variant.
    /// - Returns: Whether that is new.
    func isFirst(_ variant: CompiledVariant, of experiment: CompiledExperiment, to unit: ExperimentUnit) -> Bool {
        let exposure = Exposure(
            experiment: ExactText(experiment.id), variant: ExactText(variant.name), content: experiment.digest)
        let (isFirst, forgotten) = state.withLock { state -> (Bool, [ExperimentUnit: [Exposure]]) in
            if state.exposures[unit]?.contains(exposure) ?? false { return (false, [:]) }
            let isFull = state.exposureCount >= parts.memoryLimit
            let forgotten = isFull ? state.exposures : [:]
            if isFull {
                state.counters.exposuresEvicted += state.exposureCount
                (state.exposures, state.exposureCount) = ([:], 0)
            }
            state.exposures[unit, default: []].append(exposure)
            state.exposureCount += 1
            return (true, forgotten)
        }
        // Released outside the lock, because it may be much.
        return withExtendedLifetime(forgotten) { isFirst }
    }

    /// Records that a unit was given a variant, by an event that is about the unit: of the request that is bound to the task
    /// if the unit is the request's, else of the unit alone, without any other user's fields.
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
            // An anonymous request has no exposure that names a user, whichever the unit is.
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
        state.withLock { state in
            state.counters.exposuresTracked += taken
            state.counters.exposuresLost += lost
        }
    }

    /// The subject of a unit's exposure without a request; nil for the tracker's own subject, if that is the unit.
    private func subject(of unit: ExperimentUnit, _ isAnonymous: Bool, for tracker: Tracker) -> EventSubject? {
        guard unit.name.isExactly("userId") else { return EventSubject(isAnonymous: isAnonymous, cleared: .all) }
        if !isAnonymous, let userID = tracker.subjectUserID, userID.isExactly(unit.id) { return nil }
        return EventSubject(userID: unit.id, isAnonymous: isAnonymous, cleared: .all)
    }

    /// A text as the schemas take it.
    static func text(_ text: String) -> JSONValue {
        // Most texts are short, and their bytes are counted faster than their scalars.
        if text.utf8.count <= longestText { return .string(text) }
        return .string(String(String.UnicodeScalarView(text.unicodeScalars.prefix(longestText))))
    }
}
