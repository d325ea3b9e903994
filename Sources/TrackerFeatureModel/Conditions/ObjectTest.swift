/// A compiled condition on an object's members.
enum ObjectTest: Sendable {
    case never
    case all([ObjectTest])
    /// One of several conditions holds; true for an empty list.
    case any([ObjectTest])
    /// The operator, `$not` or `$nor`, and its condition as it was written.
    indirect case not(ObjectTest, String, JSONValue)
    case clause(Clause)

    /// Evaluates the condition.
    /// - Parameters:
    ///   - attribute: The value of a member.
    ///   - budget: The remaining work.
    /// - Returns: Whether the condition holds; meaningless if the budget is exhausted.
    func matches(_ attribute: (String) -> JSONValue?, _ budget: ReadBudget) -> Bool {
        switch self {
        case .never: return false
        case .all(let tests):
            for test in tests where !test.matches(attribute, budget) { return false }
            return true
        case .any(let tests):
            for test in tests where test.matches(attribute, budget) { return true }
            return tests.isEmpty
        case .not(let test, _, _): return !test.matches(attribute, budget)
        case .clause(let clause): return clause.matches(attribute, budget)
        }
    }

    /// The first part that does not hold, in words; nil if the condition holds.
    func failure(_ attribute: (String) -> JSONValue?, _ budget: ReadBudget) -> String? {
        if matches(attribute, budget) { return nil }
        switch self {
        case .never: return nil
        case .all(let tests):
            return tests.first { !$0.matches(attribute, budget) }?.failure(attribute, budget)
        case .any(let tests):
            let reason = tests[0].failure(attribute, budget) ?? ""
            return "$or: none of the \(tests.count) branches holds: \(reason)"
        case .not(_, let name, let operand): return "\(name): \(operand.inWords) holds"
        case .clause(let clause): return clause.failure(attribute)
        }
    }
}
