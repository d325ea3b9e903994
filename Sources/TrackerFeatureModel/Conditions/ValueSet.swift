/// The members of a list, for look-ups by JavaScript's strict equality. Lists and objects in it equal nothing.
final class ValueSet: Sendable {
    private let texts: Set<ExactText>
    /// The length of the longest text in UTF-8 bytes, so that longer texts are not hashed.
    private let longest: Int
    /// Null, booleans and numbers.
    private let others: Set<JSONValue>
    private let ignoresCase: Bool

    /// Compiles a list.
    /// - Parameters:
    ///   - members: The members.
    ///   - ignoresCase: Whether texts are compared in lower case.
    init(_ members: [JSONValue], ignoresCase: Bool = false) {
        let texts = members.compactMap(\.string).map { ExactText(ignoresCase ? $0.lowercased() : $0) }
        self.texts = Set(texts)
        longest = texts.map(\.text.utf8.count).max() ?? -1
        others = Set(members.filter { $0.string == nil }.map(\.withExactNumber))
        self.ignoresCase = ignoresCase
    }

    /// Whether an attribute, or one of its elements if it is a list, is a member.
    func contains(anyOf attribute: JSONValue) -> Bool {
        if case .array(let elements) = attribute { return elements.contains { contains($0) } }
        return contains(attribute)
    }

    private func contains(_ value: JSONValue) -> Bool {
        switch value {
        case .string(let text):
            // The cases of a letter may differ in their number of bytes, but by no more than this factor.
            guard text.utf8.count <= (ignoresCase ? longest * 3 : longest) else { return false }
            return texts.contains(ExactText(ignoresCase ? text.lowercased() : text))
        case .array, .object: return false
        case .null, .bool, .int, .double: return others.contains(value.withExactNumber)
        }
    }
}

extension JSONValue {
    /// The value, as an integer if it is a number that equals one.
    fileprivate var withExactNumber: JSONValue {
        if case .double(let number) = self, let integer = Int(exactly: number) { .int(integer) } else { self }
    }
}
