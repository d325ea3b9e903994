import TrackerConfig

/// What an importer says of the file that it reads: what it could not carry over, and why it gave up.
struct ImportReport {
    private var notes: [(place: String, reason: String, offset: Int)] = []
    // A property list's values have no place in its text.
    private let text: [UInt8]?

    /// Creates a report without notes.
    /// - Parameter text: What the values' offsets count in; nil if they have none.
    init(text: [UInt8]?) {
        self.text = text
    }

    /// The notes, in the order of the text.
    var warnings: [ConfigurationError] {
        let positions = text.map { TextPosition.positions(of: notes.map(\.offset), in: $0) } ?? [:]
        return notes.enumerated()
            .sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
            .map { _, note in
                ConfigurationError(
                    .warning, place: note.place.oneLine(most: DocumentDecoder.maxPlaceLength), reason: note.reason,
                    position: positions[note.offset])
            }
    }

    mutating func note(_ place: String, _ reason: String, _ offset: Int) {
        notes.append((place, reason, offset))
    }

    /// Notes a key that no document has.
    mutating func unknown(_ member: JSONNode.Member, in parent: String) {
        note(parent.isEmpty ? member.name : "\(parent).\(member.name)", "not carried over", member.nameOffset)
    }

    /// Notes a value that the other system reads as a boolean and this SDK does not.
    mutating func noteBoolean(_ value: Bool, _ node: JSONNode, _ place: String) {
        let shown = node.value
        note(place, "\(shown) cannot be read as a Bool; write \(value) if the setting is one", node.offset)
    }

    /// Notes a text such as `TrUe`.
    mutating func noteBooleanInOtherCase(_ node: JSONNode, _ place: String) {
        guard case .string(let text) = node.content, let value = Bool(text.lowercased()), text != "\(value)" else {
            return
        }
        noteBoolean(value, node, place)
    }

    func fault(
        _ code: NamedCode<ConfigurationError>, _ place: String, _ reason: String, _ node: JSONNode
    ) -> ConfigurationError {
        ConfigurationError(
            code, place: place.oneLine(most: DocumentDecoder.maxPlaceLength), reason: reason,
            position: text.map { TextPosition(of: node.offset, in: $0) })
    }

    /// The members of an object, without which the file is none of its format.
    func object(_ node: JSONNode, _ place: String) throws(ConfigurationError) -> [JSONNode.Member] {
        guard case .object(let members) = node.content else {
            throw fault(.wrongType, place, "expected an object, found \(node.kind)", node)
        }
        return members
    }

    /// The members of an object; nil, and a note that it is left out, if the value is none.
    mutating func objectIfPresent(_ node: JSONNode, _ place: String) -> [JSONNode.Member]? {
        guard case .object(let members) = node.content else {
            note(place, "expected an object, found \(node.kind); it is left out", node.offset)
            return nil
        }
        return members
    }

    /// The entries of an object with their places; an entry that is null is noted and left out.
    mutating func entries(
        _ members: some Sequence<JSONNode.Member>, in parent: String
    ) -> [(member: JSONNode.Member, place: String)] {
        members.compactMap { member in
            if !member.value.isNull { return (member, parent.isEmpty ? member.name : "\(parent).\(member.name)") }
            unknown(member, in: parent)
            return nil
        }
    }

    /// The values of an object's members that a format has, without null; each other member is noted.
    mutating func known(_ names: Set<String>, of members: [JSONNode.Member], in parent: String) -> [String: JSONNode] {
        var values: [String: JSONNode] = [:]
        for member in members where !member.value.isNull {
            if names.contains(member.name) { values[member.name] = member.value } else { unknown(member, in: parent) }
        }
        return values
    }
}
