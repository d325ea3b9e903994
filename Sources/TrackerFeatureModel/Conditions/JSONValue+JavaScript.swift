/// Conversions and comparisons of JavaScript, which defines the meaning of GrowthBook's conditions. Unlike in
/// JavaScript, integers are exact.
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

    /// The value as an integer or another number; NaN if it is not a number.
    var javaScriptNumber: JSONValue {
        switch self {
        case .null: return .int(0)
        case .bool(let value): return .int(value ? 1 : 0)
        case .int, .double: return self
        case .string(let text):
            var digits = text.drop(while: \.isWhitespace)
            while digits.last?.isWhitespace ?? false { digits.removeLast() }
            if digits.isEmpty { return .int(0) }
            return Int(digits).map(JSONValue.int) ?? .double(Double(digits) ?? .nan)
        case .array, .object: return JSONValue.string(javaScriptText).javaScriptNumber
        }
    }

    /// The value as text: the elements of a list with commas between them, "[object Object]" of an object.
    var javaScriptText: String { javaScriptText(depth: 0) }

    private func javaScriptText(depth: Int) -> String {
        switch self {
        case .null: return "null"
        case .bool(let value): return value ? "true" : "false"
        case .int(let number): return String(number)
        case .double(let number):
            // JavaScript writes an exponent only from here on.
            return number.magnitude < 1e21 ? Int128(exactly: number)?.description ?? "\(number)" : "\(number)"
        case .string(let text): return text
        case .array(let elements):
            // An attribute comes from the service's code, so its nesting is not bounded.
            if depth == 128 { return "" }
            return elements.map { $0 == .null ? "" : $0.javaScriptText(depth: depth + 1) }.joined(separator: ",")
        case .object: return "[object Object]"
        }
    }

    /// Compares two texts by their bytes, and anything else as numbers.
    /// - Returns: A negative number if this value is lower, 0 if both are equal; nil if one is not a number.
    func order(to other: JSONValue) -> Int? {
        switch (self, other) {
        case (.string(let left), .string(let right)): return left.utf8.orderOfBytes(to: right.utf8)
        case (.array, .string(let right)), (.object, .string(let right)):
            return javaScriptText.utf8.orderOfBytes(to: right.utf8)
        default: break
        }
        let (left, right) = (javaScriptNumber, other.javaScriptNumber)
        if case (.int(let left), .int(let right)) = (left, right) { return left < right ? -1 : left == right ? 0 : 1 }
        guard let left = left.double, let right = right.double, !left.isNaN, !right.isNaN else { return nil }
        return left < right ? -1 : left == right ? 0 : 1
    }

    /// Whether both are equal by `===`; two lists or objects never are.
    func isStrictlyEqual(to other: JSONValue) -> Bool {
        switch (self, other) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.int(let left), .int(let right)): left == right
        case (.int(let left), .double(let right)), (.double(let right), .int(let left)): Double(exactly: left) == right
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
