extension Experiments {
    /// The schema of an exposure.
    static let exposureSchema = "iglu:io.tracker-config/exposure/jsonschema/1-0-0"

    /// The longest text that the schemas take, in Unicode scalars.
    private static let longestText = 2048

    /// Records that a unit was given a variant, by an event that is about the unit: of the request that is bound to the task
    /// if the unit is the request's, else of the unit alone, without any other user's fields.
    func expose(_ input: EvaluationInput, _ variant: ExperimentVariant, isSticky: Bool) {
        let namespaces = parts.options.exposureNamespaces
        if namespaces.isEmpty { return }
        var tracked = 0
        let context = TrackingContext.current
        let isBound = context?.evaluation?.units[input.unit.name] == input.unit.id
        for namespace in namespaces {
            guard let tracker = parts.tracker(namespace) else { continue }
            var data: [(String, JSONValue)] = [
                ("experiment", Self.text(input.experiment.id)), ("variant", Self.text(variant.name)),
                ("unit", Self.text(input.unit.name)),
            ]
            let isAnonymous = tracker.isUserAnonymous || (isBound && context?.subject.isAnonymous == true)
            if !isAnonymous { data.append(("unitId", Self.text(input.unit.id))) }
            if let version = input.version { data.append(("version", .int(version))) }
            data.append(("sticky", .bool(isSticky)))
            let event = SelfDescribing(schema: Self.exposureSchema, data: JSONObject(data))
            let id =
                isBound
                ? tracker.track(event)
                : withTrackingContext(nil) { tracker.track(event, subject: subject(of: input.unit, for: tracker)) }
            if id != nil { tracked += 1 }
        }
        let taken = tracked
        state.withLock { state in
            state.counters.exposuresTracked += taken
            state.counters.exposuresLost += namespaces.count - taken
        }
    }

    /// Who an exposure of a unit is about without a request; nil for the tracker's own subject, if that is the unit.
    private func subject(of unit: ExperimentUnit, for tracker: Tracker) -> EventSubject? {
        let userID = unit.name == "userId" ? unit.id : nil
        return tracker.subjectUserID == userID ? nil : EventSubject(userID: userID, cleared: .all)
    }

    /// A text as the schemas take it.
    static func text(_ text: String) -> JSONValue {
        // Most texts are short, and their bytes are counted faster than their scalars.
        if text.utf8.count <= longestText { return .string(text) }
        return .string(String(String.UnicodeScalarView(text.unicodeScalars.prefix(longestText))))
    }
}
