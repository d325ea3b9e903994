/// Named lists of values, such as user ids, for the operators `$inGroup` and `$notInGroup` of conditions.
///
/// ```json
/// "segments": { "beta": ["u-1", "u-7", 12] }
/// ```
package struct Segments: Sendable {
    /// The lists by name, in the order of the text.
    package let json: JSONObject

    /// The lists by name, for look-ups.
    private let sets: [ExactText: ValueSet]

    /// Creates segments.
    /// - Parameter json: The lists by name; none by default. A member that is not a list is ignored.
    package init(_ json: JSONObject = [:]) {
        self.json = json
        var sets: [ExactText: ValueSet] = [:]
        for (name, value) in json.members {
            if case .array(let members) = value { sets[ExactText(name)] = ValueSet(members) }
        }
        self.sets = sets
    }

    /// The values of a segment; nil if there is no segment of that name.
    subscript(name: String) -> ValueSet? { sets[exactly: name] }
}

extension Segments: Hashable {
    /// Whether both have the same lists.
    package static func == (left: Segments, right: Segments) -> Bool { left.json == right.json }

    /// Hashes the lists.
    package func hash(into hasher: inout Hasher) { hasher.combine(json) }
}
