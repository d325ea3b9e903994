extension Experiments {
    /// The schema of an exposure.
    static let exposureSchema = "iglu:io.tracker-config/exposure/jsonschema/1-0-0"

    /// The longest text that the schemas take, in Unicode scalars.
    private static let longestText = 2048

    /// Tells that a unit was given a variant.
    func expose(_ input: EvaluationInput, _ variant: ExperimentVariant, isSticky: Bool) {
        let namespaces = parts.options.exposureNamespaces
        if namespaces.isEmpty { return }
        var tracked = 0
        for namespace in namespaces {
            guard let tracker = parts.tracker(namespace) else { continue }
            var data: [(String, JSONValue)] = [
                ("experiment", Self.text(input.experiment.id)), ("variant", Self.text(variant.name)),
                ("unit", Self.text(input.unit.name)),
            ]
            if !tracker.isUserAnonymous { data.append(("unitId", Self.text(input.unit.id))) }
            if let version = input.version { data.append(("version", .int(version))) }
            data.append(("sticky", .bool(isSticky)))
            let event = SelfDescribing(schema: Self.exposureSchema, data: JSONObject(data))
            if tracker.track(event) != nil { tracked += 1 }
        }
        let taken = tracked
        state.withLock { state in
            state.counters.exposuresTracked += taken
            state.counters.exposuresLost += namespaces.count - taken
        }
    }

    /// A text as the schemas take it.
    static func text(_ text: String) -> JSONValue {
        // Most texts are short, and their bytes are counted faster than their scalars.
        if text.utf8.count <= longestText { return .string(text) }
        return .string(String(String.UnicodeScalarView(text.unicodeScalars.prefix(longestText))))
    }
}
