/// A comparison, `$lt`, `$lte`, `$gt` or `$gte`: of two texts by UTF-16 code units, of anything else as numbers.
struct OrderTest: Sendable {
    let comparison: Comparison
    private let operand: JSONValue
    private let number: Double

    init(_ comparison: Comparison, _ operand: JSONValue) {
        self.comparison = comparison
        self.operand = operand
        number = operand.javaScriptNumber
    }

    func matches(_ value: JSONValue) -> Bool {
        switch (value, operand) {
        case (.string(let left), .string(let right)): return matches(left, right)
        case (.array, .string(let right)), (.object, .string(let right)): return matches(value.javaScriptText, right)
        // Exact, unlike JavaScript's doubles.
        case (.int(let left), .int(let right)): return comparison.holds(left, right)
        default: return comparison.holds(value.javaScriptNumber, number)
        }
    }

    private func matches(_ left: String, _ right: String) -> Bool {
        switch comparison {
        case .less: left.precedesInUTF16(right)
        case .lessOrEqual: !right.precedesInUTF16(left)
        case .greater: right.precedesInUTF16(left)
        case .greaterOrEqual: !left.precedesInUTF16(right)
        }
    }
}
