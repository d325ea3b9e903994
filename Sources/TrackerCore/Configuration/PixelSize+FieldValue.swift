extension PixelSize: FieldValue {
    package static func read(_ node: JSONNode, warn: (String) -> Void) throws(FieldMismatch) -> PixelSize? {
        guard case .string(let text) = node.content else { throw FieldMismatch(expected: "a string", found: node) }
        guard let size = PixelSize(text) else {
            warn("\(text.excerpt) is no size like 1920x1080; the setting stays unset")
            return nil
        }
        return size
    }

    package var json: JSONValue { .string(description) }
}
