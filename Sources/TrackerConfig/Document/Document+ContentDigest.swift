extension Document {
    /// A hash of what a document says, apart from its version and how far it is rolled out.
    ///
    /// White space, escapes and the order of members change nothing, as they do not for any reader; numbers that are read
    /// as one value are one, and all beyond 64 bits are. `1` and `1.0` differ.
    /// - Parameter text: UTF-8 JSON; of a document only that it is an object is checked.
    /// - Throws: The first fault of the JSON, with its place.
    /// - Returns: 16 hexadecimal digits, the same on every machine.
    package static func contentDigest(of text: [UInt8]) throws(ConfigurationError) -> String {
        let node = try read(text)
        let members = try DocumentDecoder(text: text, purpose: .remote).object(node, "")
        let content = members.filter { !["configurationVersion", "rollout"].contains($0.name) }
        var writer = ByteWriter(capacity: text.count)
        writer.append(json: JSONNode(content: .object(content), offset: node.offset).value.sorted)
        var hash = StableHash()
        hash.combine(writer.bytes)
        return hash.hex
    }
}

extension JSONValue {
    /// The value with the members of all its objects in the order of their names' bytes.
    fileprivate var sorted: JSONValue {
        switch self {
        case .array(let elements): .array(elements.map(\.sorted))
        case .object(let object):
            .object(
                JSONObject(
                    unique: object.members.map { ($0.name, $0.value.sorted) }
                        .sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }))
        default: self
        }
    }
}
