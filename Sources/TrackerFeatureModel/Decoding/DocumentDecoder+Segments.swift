extension DocumentDecoder {
    /// Reads a document's segments, experiments and features, which refer to each other.
    /// - Parameter members: The document's members; others than these are ignored.
    /// - Returns: The features, experiments and segments.
    /// - Throws: The first fault with its place.
    package mutating func features(
        of members: [JSONNode.Member]
    ) throws(ConfigurationError) -> (features: [FeatureDefinition], experiments: [Experiment], segments: Segments) {
        func node(_ name: String) -> JSONNode? {
            members.first { $0.name == name && !$0.value.isNull }?.value
        }
        var scope = DocumentScope(features: node("features"))
        if let node = node("segments") { scope.segments = try segments(node) }
        let experiments =
            try node("experiments").map { (node) throws(ConfigurationError) in
                try self.experiments(node, scope)
            } ?? []
        for experiment in experiments { scope.experiments[exactly: experiment.id] = experiment }
        guard let node = node("features") else { return ([], experiments, scope.segments) }
        let features = try self.features(node, scope)
        checkPrerequisites(features, experiments, node)
        return (features, experiments, scope.segments)
    }

    private mutating func segments(_ node: JSONNode) throws(ConfigurationError) -> Segments {
        var lists: [JSONObject.Member] = []
        for member in try object(node, "segments") where !member.value.isNull {
            let place = "segments.\(member.name)"
            var values: [JSONValue] = []
            for (index, element) in try list(member.value, place).enumerated() {
                let value = try value(element, "\(place)[\(index)]")
                switch value {
                case .array, .object, .null:
                    warn("\(place)[\(index)]", "expected a text, a number or a boolean; ignored", element.offset)
                default: values.append(value)
                }
            }
            lists.append((member.name, .array(values)))
        }
        return Segments(JSONObject(unique: lists))
    }
}
