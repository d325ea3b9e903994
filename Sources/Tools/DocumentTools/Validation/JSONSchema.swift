package import TrackerConfig

/// A JSON Schema (draft 4, as Iglu uses it), as far as the project's own schemas go.
///
/// A keyword that it does not know is refused, so that no rule of a schema is passed over in silence.
package struct JSONSchema {
    /// A type that a value can have.
    package enum Kind: String {
        case null, boolean, integer, number, string, array, object
    }

    /// What a keyword asks for.
    package enum Rule {
        case kinds([Kind])
        case required([String])
        case members(named: [String: JSONSchema], others: JSONSchema?)
        case items(JSONSchema)
        case pattern(Regex<AnyRegexOutput>, text: String)
        case length(ClosedRange<Int>)
        case range(ClosedRange<Double>)
        case itemCount(least: Int)
        case oneOf(values: [JSONValue])
        /// With the schema's description of it, for the reason of a fault.
        case anyOf([JSONSchema], description: String?)
        case not(JSONSchema, description: String?)
    }

    package let rules: [Rule]

    /// Reads a schema.
    /// - Parameters:
    ///   - node: The schema.
    ///   - place: Where it stands in the whole.
    /// - Throws: For a keyword that is not known, or a known one with a value that it cannot have.
    package init(_ node: JSONNode, at place: String = "") throws(JSONSchemaError) {
        guard case .object(let members) = node.content else {
            throw JSONSchemaError(place: place, reason: "expected a schema, found \(node.kind)")
        }
        let schema = Keywords(place: place, members: members)
        try schema.refuseUnknown()
        var rules: [Rule] = []
        if let kinds = try schema.kinds() { rules.append(.kinds(kinds)) }
        if let names = try schema.strings("required") { rules.append(.required(names)) }
        let named = try schema.schemas("properties")
        let others = try schema.schema("additionalProperties")
        if named != nil || others != nil { rules.append(.members(named: named ?? [:], others: others)) }
        if let items = try schema.schema("items") { rules.append(.items(items)) }
        if let pattern = try schema.text("pattern") {
            // Whatever is wrong with it, its place is what helps.
            guard let regex = try? Regex(pattern) else { throw schema.fault("pattern", "not a regular expression") }
            rules.append(.pattern(regex.matchingSemantics(.unicodeScalar), text: pattern))
        }
        if let length = try schema.counts("minLength", "maxLength") { rules.append(.length(length)) }
        if let range = try schema.numbers("minimum", "maximum") { rules.append(.range(range)) }
        if let least = try schema.count("minItems") { rules.append(.itemCount(least: least)) }
        if let values = try schema.list("enum") { rules.append(.oneOf(values: values.map(\.value))) }
        let description = try schema.text("description")
        if let list = try schema.list("anyOf") {
            var schemas: [JSONSchema] = []
            for (index, node) in list.enumerated() {
                schemas.append(try JSONSchema(node, at: schema.path("anyOf") + "[\(index)]"))
            }
            rules.append(.anyOf(schemas, description: description))
        }
        if let excluded = try schema.schema("not") { rules.append(.not(excluded, description: description)) }
        self.rules = rules
    }
}

/// Why a schema cannot be used.
package struct JSONSchemaError: Error, CustomStringConvertible {
    package let place: String
    package let reason: String

    package var description: String { "the schema's \(place.isEmpty ? "root" : place): \(reason)" }
}

extension JSONSchema {
    /// The keywords of one schema.
    fileprivate struct Keywords {
        private static let rules: Set<String> = [
            "type", "required", "properties", "additionalProperties", "items", "pattern", "minLength", "maxLength",
            "minimum", "maximum", "minItems", "enum", "anyOf", "not",
        ]
        /// Keywords that are only descriptions; `self` is Iglu's.
        private static let annotations: Set<String> = ["$schema", "description", "self"]

        let place: String
        let members: [JSONNode.Member]

        func refuseUnknown() throws(JSONSchemaError) {
            for member in members where !Self.rules.contains(member.name) && !Self.annotations.contains(member.name) {
                throw fault(member.name, "a keyword that this checker does not know")
            }
        }

        func fault(_ keyword: String, _ reason: String) -> JSONSchemaError {
            JSONSchemaError(place: path(keyword), reason: reason)
        }

        func path(_ keyword: String) -> String {
            place.isEmpty ? keyword : "\(place).\(keyword)"
        }

        private func node(_ keyword: String) -> JSONNode? {
            members.first { $0.name == keyword }?.value
        }

        private func value<Value>(
            _ keyword: String, _ expected: String, _ convert: (JSONNode) -> Value?
        ) throws(JSONSchemaError) -> Value? {
            guard let node = node(keyword) else { return nil }
            guard let value = convert(node) else { throw fault(keyword, "expected \(expected), found \(node.kind)") }
            return value
        }

        func kinds() throws(JSONSchemaError) -> [Kind]? {
            guard let node = node("type") else { return nil }
            let names = node.value.array ?? [node.value]
            let kinds = names.compactMap { $0.string.flatMap(Kind.init) }
            guard !kinds.isEmpty, kinds.count == names.count else {
                throw fault("type", "not a type or a list of types")
            }
            return kinds
        }

        func strings(_ keyword: String) throws(JSONSchemaError) -> [String]? {
            try value(keyword, "a list of strings") { node in
                guard let list = node.value.array else { return nil }
                let strings = list.compactMap(\.string)
                return strings.count == list.count ? strings : nil
            }
        }

        func text(_ keyword: String) throws(JSONSchemaError) -> String? {
            try value(keyword, "a string") { $0.value.string }
        }

        func schema(_ keyword: String) throws(JSONSchemaError) -> JSONSchema? {
            guard let node = node(keyword) else { return nil }
            return try JSONSchema(node, at: path(keyword))
        }

        func schemas(_ keyword: String) throws(JSONSchemaError) -> [String: JSONSchema]? {
            guard let node = node(keyword) else { return nil }
            guard case .object(let members) = node.content else {
                throw fault(keyword, "expected an object, found \(node.kind)")
            }
            var schemas: [String: JSONSchema] = [:]
            for member in members {
                schemas[member.name] = try JSONSchema(
                    member.value, at: "\(path(keyword)).\(member.name)")
            }
            return schemas
        }

        func list(_ keyword: String) throws(JSONSchemaError) -> [JSONNode]? {
            try value(keyword, "a list") { node in
                guard case .array(let elements) = node.content else { return nil }
                return elements
            }
        }

        func count(_ keyword: String) throws(JSONSchemaError) -> Int? {
            try value(keyword, "a count") { $0.value.int }
        }

        func counts(_ least: String, _ most: String) throws(JSONSchemaError) -> ClosedRange<Int>? {
            let (low, high) = (try count(least), try count(most))
            guard low != nil || high != nil else { return nil }
            return try range(low ?? 0, high ?? .max, most)
        }

        func numbers(_ least: String, _ most: String) throws(JSONSchemaError) -> ClosedRange<Double>? {
            let low = try value(least, "a number") { $0.value.double }
            let high = try value(most, "a number") { $0.value.double }
            guard low != nil || high != nil else { return nil }
            return try range(low ?? -.infinity, high ?? .infinity, most)
        }

        private func range<Bound: Comparable>(
            _ low: Bound, _ high: Bound, _ keyword: String
        ) throws(JSONSchemaError) -> ClosedRange<Bound> {
            guard low <= high else { throw fault(keyword, "lower than the least") }
            return low...high
        }
    }
}
