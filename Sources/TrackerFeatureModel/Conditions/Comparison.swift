/// The order of two values.
enum Comparison: Sendable {
    case less
    case lessOrEqual
    case greater
    case greaterOrEqual

    /// Whether two values are in this order; false if one is not a number.
    func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
        switch self {
        case .less: left < right
        case .lessOrEqual: left <= right
        case .greater: left > right
        case .greaterOrEqual: left >= right
        }
    }
}
