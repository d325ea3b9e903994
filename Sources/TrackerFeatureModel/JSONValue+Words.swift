extension JSONValue {
    /// The text in place of a value of a secret variable.
    package static let hidden: JSONValue = "…"

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
