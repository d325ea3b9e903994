extension Document {
    private static let excluded: Set = ["configurationVersion", "rollout"]

    /// A hash of a document's content, apart from its version and how far it is rolled out.
    ///
    /// White space, escapes and the order of members change nothing, as they do not for any reader; numbers that are read
    /// as one value are one. `1` and `1.0` differ.
    /// - Parameter text: UTF-8 JSON; of a document only that it is an object is checked.
    /// - Throws: The first fault of the JSON, with its place.
    /// - Returns: 16 hexadecimal digits, the same on every machine.
    package static func contentDigest(of text: [UInt8]) throws(ConfigurationError) -> String {
        let node = try DocumentDecoder.parse(text)
        _ = try DocumentDecoder(text: text).object(node, "")
        return contentDigest(of: node, capacity: text.count)
    }

    /// The same of a text that was read already.
    /// - Parameters:
    ///   - node: The text's value.
    ///   - capacity: About how many bytes it has.
    /// - Returns: 16 hexadecimal digits.
    static func contentDigest(of node: JSONNode, capacity: Int) -> String {
        var writer = ByteWriter(capacity: capacity)
        if case .object(let members) = node.content {
            writer.append(canonical: members.filter { !excluded.contains($0.name) })
        } else {
            writer.append(canonical: node)
        }
        var hash = StableHash()
        hash.combine(writer.bytes)
        return hash.hex
    }
}

/// A document's content digest, worked out when it is asked for the first time.
final class ContentDigest: Sendable {
    private enum State {
        case unknown([UInt8])
        case known(String)
    }

    private let state: Locked<State>

    /// - Parameter text: The document's text, which was read once without a fault.
    init(_ text: [UInt8]) {
        state = Locked(.unknown(text))
    }

    init(known digest: String) {
        state = Locked(.known(digest))
    }

    /// The digest.
    var value: String {
        switch state.withLock({ $0 }) {
        case .known(let digest): return digest
        case .unknown(let text):
            // A text that a document was read from can be read again.
            let digest = (try? Document.contentDigest(of: text)) ?? ""
            state.withLock { $0 = .known(digest) }
            return digest
        }
    }
}

extension ByteWriter {
    /// Appends a value with the members of all its objects in the order of their names' bytes.
    fileprivate mutating func append(canonical node: JSONNode) {
        switch node.content {
        case .null: append(json: .null)
        case .bool(let value): append(json: .bool(value))
        case .integer(let value): append(json: .int(value))
        case .number(let value): append(json: .double(value))
        case .string(let value): append(quoted: value)
        case .array(let elements):
            append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { append(UInt8(ascii: ",")) }
                append(canonical: element)
            }
            append(UInt8(ascii: "]"))
        case .object(let members): append(canonical: members)
        }
    }

    fileprivate mutating func append(canonical members: [JSONNode.Member]) {
        append(UInt8(ascii: "{"))
        let sorted = members.map { (ExactText($0.name), $0.value) }.sorted { $0.0 < $1.0 }
        for (index, (name, value)) in sorted.enumerated() {
            if index > 0 { append(UInt8(ascii: ",")) }
            append(quoted: name.text)
            append(UInt8(ascii: ":"))
            append(canonical: value)
        }
        append(UInt8(ascii: "}"))
    }
}
