/// The order of two values that an operator requires.
enum Comparison: Sendable {
    case less, lessOrEqual, greater, greaterOrEqual, equal

    /// Whether an order satisfies the operator.
    /// - Parameter order: Negative if the first value comes first, 0 if both are equal; nil if they have no order.
    /// - Returns: Whether it does; false without an order.
    func holds(_ order: Int?) -> Bool {
        guard let order else { return false }
        return switch self {
        case .less: order < 0
        case .lessOrEqual: order <= 0
        case .greater: order > 0
        case .greaterOrEqual: order >= 0
        case .equal: order == 0
        }
    }
}
