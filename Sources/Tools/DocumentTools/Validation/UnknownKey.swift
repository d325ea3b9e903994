import TrackerConfig

/// A key that the schema does not name in an object whose keys it names.
struct UnknownKey {
    /// The key.
    let name: String

    /// Where the key begins, in bytes.
    let offset: Int

    /// The keys that the object could have besides.
    let candidates: [String]

    /// Adds the key that was probably meant to warnings about unknown keys.
    /// - Parameters:
    ///   - keys: The unknown keys of the document.
    ///   - warnings: The warnings; of a document with many, there are some hundred.
    ///   - text: The document's bytes.
    /// - Returns: The warnings in the same order.
    static func suggesting(_ keys: [UnknownKey], to warnings: [Finding], in text: [UInt8]) -> [Finding] {
        guard !keys.isEmpty else { return warnings }
        let positions = TextPosition.positions(of: keys.map(\.offset), in: text)
        let byPosition = Dictionary(keys.map { (positions[$0.offset], $0) }) { first, _ in first }
        return warnings.map { warning in
            guard warning.reason.hasPrefix("an unknown key"), let position = warning.position,
                let key = byPosition[position], let name = key.name.closest(in: key.candidates)
            else { return warning }
            return Finding(
                place: warning.place, reason: "\(warning.reason); did you mean '\(name)'?", position: position,
                judge: warning.judge)
        }
    }
}

extension JSONSchema {
    /// The keys that the schema does not name, in a value and all within it.
    func unknownKeys(of node: JSONNode) -> [UnknownKey] {
        rules.flatMap { rule -> [UnknownKey] in
            switch (rule, node.content) {
            case (.members(let named, let others), .object(let members)):
                Self.unknownKeys(of: members, named, others)
            case (.items(let schema), .array(let elements)): elements.flatMap { schema.unknownKeys(of: $0) }
            default: []
            }
        }
    }

    private static func unknownKeys(
        of members: [JSONNode.Member], _ named: [String: JSONSchema], _ others: JSONSchema?
    ) -> [UnknownKey] {
        let present = Set(members.map { ExactText($0.name) })
        let candidates = named.keys.filter { !present.contains(ExactText($0)) }.sorted()
        return members.flatMap { member -> [UnknownKey] in
            if let schema = named[member.name] { return schema.unknownKeys(of: member.value) }
            let key = UnknownKey(name: member.name, offset: member.nameOffset, candidates: candidates)
            return (candidates.isEmpty ? [] : [key]) + (others?.unknownKeys(of: member.value) ?? [])
        }
    }
}
