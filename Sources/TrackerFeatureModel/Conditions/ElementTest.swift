/// A condition on an element of a list, `$elemMatch`.
enum ElementTest: Sendable {
    case value(ValueTest)
    case object(ObjectTest)

    /// Whether the condition holds. As in GrowthBook it never does for an element that counts as false, such as 0.
    func matches(_ element: JSONValue, _ budget: ReadBudget) -> Bool {
        guard element.isTruthy else { return false }
        switch self {
        case .value(let test): return test.matches(element, budget)
        case .object(let test): return test.matches({ element[$0] }, budget)
        }
    }
}
