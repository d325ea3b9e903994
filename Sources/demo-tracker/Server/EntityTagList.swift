/// The value of `If-None-Match`: the entity tags of the copies that a client has (RFC 9110, 13.1.2).
struct EntityTagList {
    private var tags: [Substring.UTF8View] = []
    private let isAny: Bool

    /// Reads `*` or a list such as `"a", W/"b"`.
    init(_ text: String) {
        let quote = UInt8(ascii: "\"")
        isAny = text.utf8.filter { $0 != UInt8(ascii: " ") } == [UInt8(ascii: "*")]
        // A tag may hold commas, so the quotes show where it ends.
        var rest = text[...].utf8
        while let start = rest.firstIndex(of: quote), let end = rest[start...].dropFirst().firstIndex(of: quote) {
            tags.append(rest[start...end])
            rest = rest[end...].dropFirst()
        }
    }

    /// Whether one of the tags is this one; whether either is weak does not count.
    func matches(_ tag: String) -> Bool {
        isAny || tags.contains { $0.elementsEqual(tag.utf8) }
    }
}
