extension DocumentDecoder {
    /// Reads a document's segments, experiments and features, which refer to each other.
    /// - Parameter members: The document's members; other members are ignored.
    /// - Returns: The features, experiments and segments.
    /// - Throws: The first fault, with its place.
    package mutating func features(
        of members: [JSONNode.Member]
    ) throws(ConfigurationError) -> (features: [FeatureDefinition], experiments: [Experiment], segments: Segments) {
        func node(_ name: String) -> JSONNode? { members[name].flatMap { $0.isNull ? nil : $0 } }
        let scope = DocumentScope(features: node("features"))
        do throws(ConfigurationError) {
            if let node = node("segments") { scope.segments = try segments(node) }
        } catch { try note(error) }
        scope.units.formUnion(Self.units(in: node("features"), node("experiments")))
        var experiments: [Experiment] = []
        if let node = node("experiments") {
            do throws(ConfigurationError) {
                experiments = try self.experiments(node, scope)
            } catch { try note(error) }
            for experiment in experiments { scope.experiments[exactly: experiment.id] = experiment }
        }
        var features: [FeatureDefinition] = []
        if let node = node("features") {
            do throws(ConfigurationError) {
                features = try self.features(node, scope)
            } catch { try note(error) }
            checkPrerequisites(features, experiments, node)
        }
        if let node = node("experiments") { checkOverlaps(of: experiments, features, node) }
        return (features, experiments, scope.segments)
    }

    /// The names of the units of rules, experiments and their filters.
    private static func units(in features: JSONNode?, _ experiments: JSONNode?) -> [String] {
        func elements(_ node: JSONNode?) -> [JSONNode] {
            if case .array(let list)? = node?.content { list } else { [] }
        }
        let rules = (features?.members ?? []).flatMap { elements($0.value.members?["rules"]) }
        let drawn = rules + elements(experiments)
        return (drawn + drawn.flatMap { elements($0.members?["filters"]) }).flatMap { node in
            ["unit", "fallbackUnit"].compactMap { node.members?[$0]?.string }
        }
    }

    private mutating func segments(_ node: JSONNode) throws(ConfigurationError) -> Segments {
        var lists: [JSONObject.Member] = []
        for member in try object(node) where !member.isNull {
            do throws(ConfigurationError) {
                lists.append((member.name, .array(try segment(member.value))))
            } catch { try note(error) }
        }
        return Segments(JSONObject(unique: lists))
    }
    private mutating func segment(_ node: JSONNode) throws(ConfigurationError) -> [JSONValue] {
        let elements = try list(node)
        var values: [JSONValue] = []
        values.reserveCapacity(elements.count)
        for element in elements {
            let value = element.value
            switch value {
            case .array, .object, .null:
                warn("expected a text, a number or a boolean; ignored", element.offset)
            default: values.append(value)
            }
        }
        return values
    }
}
