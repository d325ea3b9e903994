/// A comparison of moments, `$before` or `$after`.
struct InstantTest: Sendable {
    /// Whether the attribute must be earlier, and not later.
    let isBefore: Bool
    let instant: Instant

    /// Whether a value is earlier or later; false for one that is not a moment.
    func matches(_ value: JSONValue) -> Bool {
        guard let other = Instant(attribute: value) else { return false }
        return isBefore ? other < instant : instant < other
    }
}

extension Instant {
    /// The moment of an attribute: a text of RFC 3339, or a number of milliseconds since 1970; nil for anything else.
    fileprivate init?(attribute: JSONValue) {
        switch attribute {
        case .string(let text): self.init(text)
        case .int(let milliseconds): self.init(milliseconds: Int64(milliseconds))
        case .double(let number):
            guard let milliseconds = Int64(exactly: number.rounded(.down)) else { return nil }
            self.init(milliseconds: milliseconds)
        case .null, .bool, .array, .object: return nil
        }
    }
}
