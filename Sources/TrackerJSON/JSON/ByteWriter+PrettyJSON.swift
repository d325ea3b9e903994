extension ByteWriter {
    /// Appends a JSON value with a line for each member and element, indented by two spaces per level.
    package mutating func append(pretty value: JSONValue, depth: Int = 0) {
        switch value {
        case .object(let object) where !object.isEmpty:
            append(UInt8(ascii: "{"))
            for (index, member) in object.members.enumerated() {
                append(lineAfter: index, depth: depth + 1)
                append(quoted: member.name)
                append(": ")
                append(pretty: member.value, depth: depth + 1)
            }
            append(lineAfter: 0, depth: depth)
            append(UInt8(ascii: "}"))
        case .array(let elements) where !elements.isEmpty:
            append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                append(lineAfter: index, depth: depth + 1)
                append(pretty: element, depth: depth + 1)
            }
            append(lineAfter: 0, depth: depth)
            append(UInt8(ascii: "]"))
        case .null, .bool, .int, .double, .string, .array, .object: append(json: value)
        }
    }

    /// Begins a line, after a comma unless it is the first.
    private mutating func append(lineAfter count: Int, depth: Int) {
        if count > 0 { append(UInt8(ascii: ",")) }
        append(UInt8(ascii: "\n"))
        for _ in 0..<depth { append("  ") }
    }
}
