import TrackerFeatures

/// Reads the features of a GrowthBook payload.
final class GrowthBookReader {
    /// The members of an object that are not read yet.
    struct Members {
        private(set) var rest: [JSONNode.Member]
        let node: JSONNode
        /// Whether all members that were read can be used.
        var isUsable = true

        init(_ node: JSONNode, _ decoder: DocumentDecoder) throws(ConfigurationError) {
            (rest, self.node) = (try decoder.object(node), node)
        }

        /// Takes a member; nil if it is missing or null.
        mutating func take(_ name: String) -> JSONNode.Member? {
            let member = rest.place(of: name).map { rest.remove(at: $0) }
            return member?.value.isNull == false ? member : nil
        }
    }

    typealias Reading<Value> = (JSONNode) throws(ConfigurationError) -> Value

    var decoder: DocumentDecoder
    let segments: Segments
    let isSticky: Bool
    /// The offsets of the keys that this version does not know.
    private var unknownKeys: [Int] = []

    /// Creates a reader.
    /// - Parameters:
    ///   - decoder: The decoder of the features.
    ///   - segments: The saved groups.
    ///   - isSticky: Whether experiments keep the variants of units.
    init(_ decoder: DocumentDecoder, segments: Segments, isSticky: Bool) {
        (self.decoder, self.segments, self.isSticky) = (decoder, segments, isSticky)
    }

    /// Reads all features.
    /// - Throws: The first fault of the structure; an unusable rule is a warning instead.
    func features(_ node: JSONNode) throws(ConfigurationError) -> [FeatureDefinition] {
        defer { warnOfUnknownKeys() }
        let members = try decoder.object(node).filter { !$0.value.isNull }
        return try members.map { (member) throws(ConfigurationError) in
            try feature(member.name, member.value)
        }
    }

    private func feature(_ name: String, _ node: JSONNode) throws(ConfigurationError) -> FeatureDefinition {
        var members = try Members(node, decoder)
        let value = try optional("defaultValue", of: &members, value) ?? .null
        var ids: Set<ExactText> = []
        let rules = try optional("rules", of: &members, each { $0 }) ?? []
        noteRest(of: members)
        let variables = value.growthBookVariables.members.filter { $0.value != .null }
        return FeatureDefinition(
            name: name, isEnabled: value.isTruthy,
            variables: variables.map { VariableDefinition(name: $0.name, value: $0.value) },
            rules: try rules.map { (node) throws(ConfigurationError) in try rule(node, &ids, of: name) })
    }

    /// A value of a feature, with a warning if one of its members cannot be a variable.
    func value(_ node: JSONNode) -> JSONValue {
        let value = node.value
        if value[JSONValue.growthBookVariable] != nil {
            let reason = "not a variable of its own, because the variable 'value' holds the whole object"
            decoder.warn(reason, node.offset, at: ".\(JSONValue.growthBookVariable)")
        }
        return value
    }

    /// Reads a member that may be missing.
    func optional<Value>(
        _ name: String, of members: inout Members, _ read: Reading<Value>
    ) throws(ConfigurationError) -> Value? {
        guard let member = members.take(name) else { return nil }
        return try read(member.value)
    }

    /// Reads a required member.
    func required<Value>(
        _ name: String, of members: inout Members, _ read: Reading<Value>
    ) throws(ConfigurationError) -> Value {
        if let value = try optional(name, of: &members, read) { return value }
        throw decoder.missing(name, members.node)
    }

    /// Reads the elements of a list.
    func each<Value>(_ read: @escaping Reading<Value>) -> Reading<[Value]> {
        { [decoder] (node) throws(ConfigurationError) in
            var values: [Value] = []
            for element in try decoder.list(node) { values.append(try read(element)) }
            return values
        }
    }

    func text(_ node: JSONNode) throws(ConfigurationError) -> String { try decoder.text(node) }
    func integer(_ node: JSONNode) throws(ConfigurationError) -> Int { try decoder.integer(node) }
    func number(_ node: JSONNode) throws(ConfigurationError) -> Double { try decoder.number(node) }
    func boolean(_ node: JSONNode) throws(ConfigurationError) -> Bool { try decoder.boolean(node) }

    /// Notes the remaining keys, which this version does not know. They are ignored, as by GrowthBook's own SDKs,
    /// because a server leaves out keys that change the meaning of a rule if the connection's SDK does not support
    /// them.
    func noteRest(of members: Members) {
        unknownKeys += members.rest.filter { !$0.value.isNull }.map(\.nameOffset)
    }

    private func warnOfUnknownKeys() {
        let keys = unknownKeys.sorted()
        guard let first = keys.first else { return }
        var reason = "this version does not know the key, and ignores it"
        if keys.count > 1 {
            // Three are enough to find them in the payload.
            let some = keys.prefix(3).map { decoder.place(of: $0).oneLine(most: 100) }.joined(separator: ", ")
            reason += "; \(keys.count) keys in all, such as \(some)"
        }
        decoder.warn(reason, first)
    }
}
