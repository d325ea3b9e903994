/// The first part of a condition that does not hold for some attributes.
package struct FailedClause: Sendable, Hashable {
    /// The attribute's path, such as "plan" or "address.city"; the operator if it combines conditions, such as "$or".
    package let path: String

    /// The part in words: "plan: 'free' is not 'pro'".
    package let words: String

    /// The attribute's value; nil if it is missing or hidden.
    package let value: JSONValue?

    init(_ path: String, _ reason: String, value: JSONValue? = nil) {
        (self.path, words, self.value) = (path, "\(path.oneLine(most: 100)): \(reason)", value)
    }

    /// The clause without its operand and value, which may be secrets.
    package var hidden: FailedClause { FailedClause(path, "a secret value does not satisfy the condition") }

    /// The root of the attribute's path: its name.
    package var attribute: String { AttributePath(path).root }
}

extension JSONValue {
    /// The value in a few words for a sentence, truncated if it is long.
    package var inWords: String {
        switch self {
        case .string(let text): text.excerpt
        case .array(let elements) where isLong: "a list of \(elements.count) values"
        case .object where isLong: "a large object"
        default: description.oneLine(most: 60)
        }
    }

    /// The value if it is short, otherwise a description in a few words.
    package var abridged: JSONValue { isLong ? .string(inWords) : self }

    private var isLong: Bool { description.utf8.count > 320 }
}
