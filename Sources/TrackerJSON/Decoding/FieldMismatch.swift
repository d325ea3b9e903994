/// A value of the wrong JSON type.
package struct FieldMismatch: Error {
    /// The way from the field to the value, `.503` within an object.
    package let path: String
    /// What should stand there, as "a string".
    package let expected: String
    /// What stands there.
    package let found: JSONNode

    package init(path: String = "", expected: String, found: JSONNode) {
        (self.path, self.expected, self.found) = (path, expected, found)
    }
}

extension FieldMismatch {
    /// The sentence, without the place.
    package var reason: String {
        if expected == "an integer", case .number(let value) = found.content {
            return "expected an integer, found \(value)"
        }
        return "expected \(expected), found \(found.kind)"
    }
}
