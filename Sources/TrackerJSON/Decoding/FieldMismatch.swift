/// A value of the wrong JSON type.
package struct FieldMismatch: Error {
    /// The path from the field to the value, such as `.503` in an object.
    package let path: String
    /// The expected type, such as "a string".
    package let expected: String
    /// The actual value.
    package let found: JSONNode

    package init(path: String = "", expected: String, found: JSONNode) {
        (self.path, self.expected, self.found) = (path, expected, found)
    }
}

extension FieldMismatch {
    /// The reason as a sentence, without the place.
    package var reason: String {
        if expected == "an integer", case .number(let value) = found.content {
            return "expected an integer, found \(value)"
        }
        return "expected \(expected), found \(found.kind)"
    }
}
