package import TrackerConfig

extension JSONSchema {
    /// What a value does not keep.
    package struct Fault {
        /// The path of keys to the value.
        let place: String
        /// The path of keys to the object that lacks the value; nil if there is one.
        let parent: String?
        let reason: String
        /// Where the value begins in its text; of one that is missing, the object that lacks it.
        let offset: Int
        /// Whether the value is missing or null.
        let isAbsence: Bool
        /// Whether the value fits none of several schemas, which does not show the place within it that is wrong.
        let isVague: Bool

        init(
            place: String, parent: String? = nil, reason: String, offset: Int, isAbsence: Bool, isVague: Bool = false
        ) {
            (self.place, self.parent, self.reason, self.offset) = (place, parent, reason, offset)
            (self.isAbsence, self.isVague) = (isAbsence, isVague)
        }
    }

    /// Checks a value and all within it.
    /// - Returns: Every fault, in the order of the rules.
    package func faults(of node: JSONNode, at place: String = "") -> [Fault] {
        for case .kinds(let kinds) in rules where !kinds.contains(where: { $0.covers(node) }) {
            // A value of another type keeps no other rule either; one fault says it.
            return [fault(node, place, Self.mismatch(node, kinds))]
        }
        return rules.flatMap { rule -> [Fault] in
            if let reason = Self.reason(node, rule) { return [fault(node, place, reason, isVague: rule.isAnyOf)] }
            return switch node.content {
            case .object(let members): Self.faults(of: members, by: rule, in: node, place)
            case .array(let elements): faults(of: elements, by: rule, in: node, place)
            default: []
            }
        }
    }

    private func fault(_ node: JSONNode, _ place: String, _ reason: String, isVague: Bool = false) -> Fault {
        Fault(place: place, reason: reason, offset: node.offset, isAbsence: node.isNull, isVague: isVague)
    }

    /// The path of keys to a member.
    static func path(to name: String, in place: String) -> String { place.isEmpty ? name : "\(place).\(name)" }

    private static func mismatch(_ node: JSONNode, _ kinds: [Kind]) -> String {
        let expected = kinds.map(\.words).joined(separator: " or ")
        if case .number(let number) = node.content, kinds.contains(.integer) {
            return "expected \(expected), found \(number)"
        }
        return "expected \(expected), found \(node.kind)"
    }

    private static func faults(
        of members: [JSONNode.Member], by rule: Rule, in node: JSONNode, _ place: String
    ) -> [Fault] {
        switch rule {
        case .required(let names):
            return names.filter { name in !members.contains { $0.name == name } }.map {
                Fault(
                    place: path(to: $0, in: place), parent: place, reason: "required key '\($0)' is missing",
                    offset: node.offset, isAbsence: true)
            }
        case .members(let named, let others):
            return members.flatMap { member in
                (named[member.name] ?? others)?.faults(of: member.value, at: path(to: member.name, in: place)) ?? []
            }
        default: return []
        }
    }

    private func faults(of elements: [JSONNode], by rule: Rule, in node: JSONNode, _ place: String) -> [Fault] {
        switch rule {
        case .items(let schema):
            return elements.enumerated().flatMap { index, element in
                schema.faults(of: element, at: "\(place)[\(index)]")
            }
        case .itemCount(let least) where elements.count < least:
            return [fault(node, place, "expected at least \(least), found \(elements.count)")]
        default: return []
        }
    }

    /// Why a value of any type breaks a rule, if so.
    private static func reason(_ node: JSONNode, _ rule: Rule) -> String? {
        switch rule {
        case .oneOf(let values) where !values.contains { node.value.isSame(as: $0) }:
            "expected one of \(JSONValue.array(values))"
        case .anyOf(let schemas, let description) where !schemas.contains { $0.faults(of: node).isEmpty }:
            "fits none of the schema's alternatives" + (description.map { ": \($0)" } ?? "")
        case .not(let schema, let description) where schema.faults(of: node).isEmpty:
            "is what the schema excludes" + (description.map { ": \($0)" } ?? "")
        default:
            switch node.content {
            case .string(let text): reason(text, rule)
            default: node.number.flatMap { reason($0, rule) }
            }
        }
    }

    private static func reason(_ text: String, _ rule: Rule) -> String? {
        switch rule {
        case .pattern(let regex, let pattern):
            return text.firstMatch(of: regex) == nil ? "\(text.excerpt) does not match \(pattern)" : nil
        case .length(let range):
            let length = text.unicodeScalars.count
            return range ~= length ? nil : "expected \(words(range, "characters")), found \(length)"
        default: return nil
        }
    }

    private static func reason(_ number: Double, _ rule: Rule) -> String? {
        guard case .range(let range) = rule, !range.contains(number) else { return nil }
        let (low, high) = (JSONValue(shortest: range.lowerBound), JSONValue(shortest: range.upperBound))
        let found = JSONValue(shortest: number)
        if range.upperBound == .infinity { return "expected at least \(low), found \(found)" }
        if range.lowerBound == -.infinity { return "expected at most \(high), found \(found)" }
        return "expected \(low) to \(high), found \(found)"
    }

    private static func words(_ range: ClosedRange<Int>, _ things: String) -> String {
        range.upperBound == .max
            ? "at least \(range.lowerBound) \(things)" : "\(range.lowerBound) to \(range.upperBound) \(things)"
    }
}

extension JSONSchema.Rule {
    fileprivate var isAnyOf: Bool {
        if case .anyOf = self { true } else { false }
    }
}

extension JSONSchema.Kind {
    /// Whether a value has the type; a number with a fraction or an exponent is no integer (draft 4).
    fileprivate func covers(_ node: JSONNode) -> Bool {
        switch (self, node.content) {
        case (.null, .null), (.boolean, .bool), (.number, .integer), (.number, .number), (.string, .string),
            (.array, .array), (.object, .object):
            true
        case (.integer, _): node.integer != nil
        default: false
        }
    }

    /// The names of JSON's types are those of the kinds that variables have, and null.
    fileprivate var words: String { VariableKind(rawValue: rawValue)?.words ?? rawValue }
}

extension JSONValue {
    /// Whether both are one value to JSON Schema, for which 0 and 0.0 are; that within lists and objects is left out.
    fileprivate func isSame(as other: JSONValue) -> Bool {
        if self == other { return true }
        return double.map { $0 == other.double } ?? false
    }
}
