import TrackerFeatures

/// Reads the features of a GrowthBook payload.
final class GrowthBookReader {
    /// The members of an object that are not read yet.
    struct Members {
        private(set) var rest: [JSONNode.Member]
        let node: JSONNode
        let place: String
        /// Whether all members that were read can be used.
        var isUsable = true

        init(_ node: JSONNode, _ place: String, _ decoder: DocumentDecoder) throws(ConfigurationError) {
            (rest, self.node, self.place) = (try decoder.object(node, place), node, place)
        }

        /// Takes a member; nil if it is missing or null.
        mutating func take(_ name: String) -> JSONNode.Member? {
            let member = rest.place(of: name).map { rest.remove(at: $0) }
            return member?.value.isNull == false ? member : nil
        }
    }

    /// Reads a value; the second parameter is its place.
    typealias Reading<Value> = (JSONNode, String) throws(ConfigurationError) -> Value

    var decoder: DocumentDecoder
    let segments: Segments
    let isSticky: Bool
    /// The keys that this version does not know.
    private var unknownKeys: [(offset: Int, place: String, name: String)] = []

    /// Creates a reader.
    /// - Parameters:
    ///   - text: The text of the features, for positions.
    ///   - segments: The saved groups.
    ///   - isSticky: Whether experiments keep the variants of units.
    init(_ text: [UInt8], segments: Segments, isSticky: Bool) {
        (decoder, self.segments, self.isSticky) = (DocumentDecoder(text: text), segments, isSticky)
    }

    /// Reads all features.
    /// - Throws: The first fault of the structure; an unusable rule is a warning instead.
    func features(_ node: JSONNode) throws(ConfigurationError) -> [FeatureDefinition] {
        defer { warnOfUnknownKeys() }
        let members = try decoder.object(node, "features").filter { !$0.value.isNull }
        return try members.map { (member) throws(ConfigurationError) in
            try feature(member.name, member.value, "features.\(member.name)")
        }
    }

    private func feature(
        _ name: String, _ node: JSONNode, _ place: String
    ) throws(ConfigurationError) -> FeatureDefinition {
        var members = try Members(node, place, decoder)
        let value = try optional("defaultValue", of: &members, value) ?? .null
        var ids: Set<ExactText> = []
        let rules = try optional("rules", of: &members, each { (node, place) in (node, place) }) ?? []
        noteRest(of: members)
        let variables = value.growthBookVariables.members.filter { $0.value != .null }
        return FeatureDefinition(
            name: name, isEnabled: value.isTruthy,
            variables: variables.map { VariableDefinition(name: $0.name, value: $0.value) },
            rules: try rules.map { (node, place) throws(ConfigurationError) in
                try rule(node, place, &ids, of: name)
            })
    }

    /// A value of a feature, with a warning if one of its members cannot be a variable.
    func value(_ node: JSONNode, _ place: String) -> JSONValue {
        let value = node.value
        if value[JSONValue.growthBookVariable] != nil {
            let reason = "not a variable of its own, because the variable 'value' holds the whole object"
            decoder.warn("\(place).\(JSONValue.growthBookVariable)", reason, node.offset)
        }
        return value
    }

    /// Reads a member that may be missing.
    func optional<Value>(
        _ name: String, of members: inout Members, _ read: Reading<Value>
    ) throws(ConfigurationError) -> Value? {
        guard let member = members.take(name) else { return nil }
        return try read(member.value, "\(members.place).\(name)")
    }

    /// Reads a required member.
    func required<Value>(
        _ name: String, of members: inout Members, _ read: Reading<Value>
    ) throws(ConfigurationError) -> Value {
        if let value = try optional(name, of: &members, read) { return value }
        throw decoder.missing(name, members.node, members.place)
    }

    /// Reads the elements of a list.
    func each<Value>(_ read: @escaping Reading<Value>) -> Reading<[Value]> {
        { [decoder] (node, place) throws(ConfigurationError) in
            var values: [Value] = []
            for (index, element) in try decoder.list(node, place).enumerated() {
                values.append(try read(element, "\(place)[\(index)]"))
            }
            return values
        }
    }

    func text(_ node: JSONNode, _ at: String) throws(ConfigurationError) -> String { try decoder.text(node, at) }
    func integer(_ node: JSONNode, _ at: String) throws(ConfigurationError) -> Int { try decoder.integer(node, at) }
    func number(_ node: JSONNode, _ at: String) throws(ConfigurationError) -> Double { try decoder.number(node, at) }
    func boolean(_ node: JSONNode, _ at: String) throws(ConfigurationError) -> Bool { try decoder.boolean(node, at) }

    /// Notes the remaining keys, which this version does not know. They are ignored, as by GrowthBook's own SDKs,
    /// because a server leaves out keys that change the meaning of a rule if the connection's SDK does not support
    /// them.
    func noteRest(of members: Members) {
        for member in members.rest where !member.value.isNull {
            unknownKeys.append((member.nameOffset, members.place, member.name))
        }
    }

    private func warnOfUnknownKeys() {
        let keys = unknownKeys.sorted { $0.offset < $1.offset }
        // Three are enough to find them in the payload.
        let places = keys.prefix(3).map { "\($0.place).\($0.name)" }
        guard let key = keys.first, let place = places.first else { return }
        var reason = "this version does not know the key, and ignores it"
        if keys.count > 1 {
            let some = places.map { $0.oneLine(most: 100) }.joined(separator: ", ")
            reason += "; \(keys.count) keys in all, such as \(some)"
        }
        decoder.warn(place, reason, key.offset)
    }
}
