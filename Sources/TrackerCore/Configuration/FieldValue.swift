/// The type of a setting's value, with its form in documents.
package protocol FieldValue: Sendable, Equatable {
    /// Reads a value that is not null.
    /// - Parameters:
    ///   - node: The value.
    ///   - warn: Receives a warning about the value.
    /// - Throws: An error if the value has the wrong JSON type.
    /// - Returns: The value; nil if the setting stays unset, for example for a word that only newer versions know.
    static func read(_ node: JSONNode, warn: (String) -> Void) throws(FieldMismatch) -> Self?

    /// The value as a document writes it.
    var json: JSONValue { get }
}

extension String: FieldValue {
    package static func read(_ node: JSONNode, warn: (String) -> Void) throws(FieldMismatch) -> String? {
        guard let value = node.string else { throw FieldMismatch(expected: "a string", found: node) }
        return value
    }

    package var json: JSONValue { .string(self) }
}

extension Bool: FieldValue {
    package static func read(_ node: JSONNode, warn: (String) -> Void) throws(FieldMismatch) -> Bool? {
        guard let value = node.bool else { throw FieldMismatch(expected: "a boolean", found: node) }
        return value
    }

    package var json: JSONValue { .bool(self) }
}

extension Int: FieldValue {
    package static func read(_ node: JSONNode, warn: (String) -> Void) throws(FieldMismatch) -> Int? {
        guard let value = node.integer else { throw FieldMismatch(expected: "an integer", found: node) }
        return value
    }

    package var json: JSONValue { .int(self) }
}

extension Duration: FieldValue {
    /// Reads whole seconds.
    package static func read(_ node: JSONNode, warn: (String) -> Void) throws(FieldMismatch) -> Duration? {
        try Int.read(node, warn: warn).map { .seconds($0) }
    }

    package var json: JSONValue {
        components.attoseconds == 0 ? .int(Int(components.seconds)) : .double(self / .seconds(1))
    }
}

/// A word of a vocabulary that may grow; an unknown word leaves the setting unset.
package protocol DocumentWord: FieldValue, RawRepresentable<String>, CaseIterable {
    /// Other spellings, with the words that they mean.
    static var synonyms: [String: Self] { get }
}

extension DocumentWord {
    package static var synonyms: [String: Self] { [:] }

    package static func read(_ node: JSONNode, warn: (String) -> Void) throws(FieldMismatch) -> Self? {
        guard let text = node.string else { throw FieldMismatch(expected: "a string", found: node) }
        if let word = Self(rawValue: text) ?? synonyms[text] { return word }
        let known = (allCases.map(\.rawValue) + synonyms.keys.sorted()).joined(separator: ", ")
        warn("\(text.excerpt) is none of \(known); the setting stays unset")
        return nil
    }

    package var json: JSONValue { .string(rawValue) }
}

extension LogLevel: DocumentWord {}

extension [Int: Bool]: FieldValue {
    /// Reads an object of HTTP status codes and booleans.
    package static func read(_ node: JSONNode, warn: (String) -> Void) throws(FieldMismatch) -> [Int: Bool]? {
        guard let members = node.members else { throw FieldMismatch(expected: "an object", found: node) }
        var rules: [Int: Bool] = [:]
        for member in members {
            let name = member.name
            guard let isRetried = member.value.bool else {
                throw FieldMismatch(path: ".\(name)", expected: "a boolean", found: member.value)
            }
            guard name.utf8.count == 3, let status = Int(name), 100...599 ~= status else {
                warn("\(name.excerpt) is no status code from 100 to 599 and is ignored")
                continue
            }
            rules[status] = isRetried
        }
        return rules
    }

    package var json: JSONValue {
        .object(JSONObject(unique: sorted { $0.key < $1.key }.map { ("\($0.key)", .bool($0.value)) }))
    }
}

extension Array: FieldValue where Element: FieldValue {
    package static func read(_ node: JSONNode, warn: (String) -> Void) throws(FieldMismatch) -> [Element]? {
        guard case .array(let nodes) = node.content else { throw FieldMismatch(expected: "a list", found: node) }
        var elements: [Element] = []
        for (index, node) in nodes.enumerated() {
            do throws(FieldMismatch) {
                if let element = try Element.read(node, warn: warn) { elements.append(element) }
            } catch {
                throw FieldMismatch(path: "[\(index)]\(error.path)", expected: error.expected, found: error.found)
            }
        }
        return elements
    }

    package var json: JSONValue { .array(map(\.json)) }
}

extension HTTPHeader: FieldValue {
    /// Reads a header as a request contains it, `Name: value`.
    package static func read(_ node: JSONNode, warn: (String) -> Void) throws(FieldMismatch) -> HTTPHeader? {
        guard case .string(let line) = node.content, let colon = line.firstIndex(of: ":") else {
            throw FieldMismatch(expected: "a header like 'Name: value'", found: node)
        }
        return HTTPHeader(
            name: String(line[..<colon]), value: String(line[line.index(after: colon)...].drop { $0 == " " }))
    }

    /// The name only, because the value may be a secret.
    package var json: JSONValue { .string("\(name): …") }
}
