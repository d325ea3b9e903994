/// How JavaScript, of which GrowthBook's conditions have their meaning, converts and compares values.
extension JSONValue {
    /// Whether the value counts as true: all but null, false, 0 and the empty text.
    package var isTruthy: Bool {
        switch self {
        case .null: false
        case .bool(let value): value
        case .int(let number): number != 0
        case .double(let number): number != 0 && !number.isNaN
        case .string(let text): !text.isEmpty
        case .array, .object: true
        }
    }

    /// The value as a number; not a number if it is none.
    var javaScriptNumber: Double {
        switch self {
        case .null: 0
        case .bool(let value): value ? 1 : 0
        case .int(let number): Double(number)
        case .double(let number): number
        case .string(let text): Double(javaScript: text)
        case .array, .object: Double(javaScript: javaScriptText)
        }
    }

    /// The value as text: the elements of a list with commas between them, "[object Object]" of an object.
    var javaScriptText: String { javaScriptText(depth: 0) }

    private func javaScriptText(depth: Int) -> String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .int(let number): String(number)
        case .double(let number): number.javaScriptText
        case .string(let text): text
        case .array(let elements):
            // An attribute comes from the service's code and may be nested without bounds.
            depth == 128
                ? ""
                : elements.map { $0 == .null ? "" : $0.javaScriptText(depth: depth + 1) }.joined(separator: ",")
        case .object: "[object Object]"
        }
    }

    /// Whether both are equal by `===`, by which two lists or objects never are.
    func isStrictlyEqual(to other: JSONValue) -> Bool {
        switch (self, other) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        // Exact, unlike JavaScript's doubles.
        case (.int(let left), .int(let right)): left == right
        case (.int(let left), .double(let right)): Double(left) == right
        case (.double(let left), .int(let right)): left == Double(right)
        case (.double(let left), .double(let right)): left == right
        case (.string(let left), .string(let right)): left.isExactly(right)
        default: false
        }
    }

    /// Whether both are the same JSON, with members in any order.
    func isStructurallyEqual(to other: JSONValue) -> Bool {
        switch (self, other) {
        case (.array(let left), .array(let right)):
            left.count == right.count && zip(left, right).allSatisfy { $0.isStructurallyEqual(to: $1) }
        case (.object(let left), .object(let right)):
            left.count == right.count
                && left.members.allSatisfy { name, value in
                    right[name].map { value.isStructurallyEqual(to: $0) } ?? false
                }
        default: isStrictlyEqual(to: other)
        }
    }
}
