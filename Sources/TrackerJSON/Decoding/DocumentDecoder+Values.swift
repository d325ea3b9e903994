extension DocumentDecoder {
    package static let unknownKey = "an unknown key, ignored"

    package func text(_ node: JSONNode) throws(ConfigurationError) -> String {
        guard let text = node.string else { throw wrongType("a string", node) }
        return text
    }

    package func texts(_ node: JSONNode) throws(ConfigurationError) -> [String] {
        let elements = try list(node)
        var texts: [String] = []
        texts.reserveCapacity(elements.count)
        for element in elements { texts.append(try text(element)) }
        return texts
    }

    package func boolean(_ node: JSONNode) throws(ConfigurationError) -> Bool {
        guard let value = node.bool else { throw wrongType("a boolean", node) }
        return value
    }

    /// Reads an integer; a number beyond 64 bits is clamped to `Int.min` or `Int.max`.
    package func integer(_ node: JSONNode) throws(ConfigurationError) -> Int {
        guard let number = node.integer else {
            throw fault(.wrongType, FieldMismatch(expected: "an integer", found: node).reason, node)
        }
        return number
    }

    package func number(_ node: JSONNode) throws(ConfigurationError) -> Double {
        guard let number = node.number else { throw wrongType("a number", node) }
        return number
    }

    /// Reads a number and clamps it to its bounds, with a warning.
    package mutating func number(
        _ node: JSONNode, within bounds: ClosedRange<Int>
    ) throws(ConfigurationError) -> Double {
        let number = try self.number(node)
        let isLow = number < Double(bounds.lowerBound)
        guard isLow || number > Double(bounds.upperBound) else { return number }
        let nearest = isLow ? bounds.lowerBound : bounds.upperBound
        let range = "\(bounds.lowerBound)…\(bounds.upperBound)"
        let found = node.value.description.oneLine(most: 60)
        warn("\(found) is outside \(range); \(nearest) is used", node.offset)
        return Double(nearest)
    }

    package func list(_ node: JSONNode) throws(ConfigurationError) -> [JSONNode] {
        guard case .array(let elements) = node.content else { throw wrongType("a list", node) }
        return elements
    }

    package func object(_ node: JSONNode) throws(ConfigurationError) -> [JSONNode.Member] {
        guard let members = node.members else { throw wrongType("an object", node) }
        return members
    }

    package func required(
        _ name: String, _ members: [JSONNode.Member], _ parent: JSONNode
    ) throws(ConfigurationError) -> JSONNode {
        guard let value = members[name] else { throw missing(name, parent) }
        return value
    }

    /// The error for a required key that is missing or null.
    /// - Parameters:
    ///   - name: The key.
    ///   - parent: The object.
    /// - Returns: The error, which suggests a similar key of the object if there is one.
    package func missing(_ name: String, _ parent: JSONNode) -> ConfigurationError {
        let members = parent.members ?? []
        if let null = members[name] { return fault(.missingValue, "required key '\(name)' is null", null) }
        var reason = "required key '\(name)' is missing"
        // An object can have any number of members, and comparing two names is slow.
        let names = members.prefix(Self.maxComparedKeys).map(\.name)
        if let typo = name.closest(in: names, atMost: 3), let index = members.place(of: typo) {
            let offset = members[index].nameOffset
            let position = omitsPositions ? "" : " (\(TextPosition(of: offset, in: text).short))"
            reason += "; is \(typo.excerpt)\(position) a typo?"
        }
        return fault(.missingValue, reason, parent)
    }

    package func wrongType(_ expected: String, _ node: JSONNode) -> ConfigurationError {
        fault(.wrongType, "expected \(expected), found \(node.kind)", node)
    }
}
