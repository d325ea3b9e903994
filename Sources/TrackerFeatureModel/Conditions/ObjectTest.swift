/// A compiled condition on an object's members.
enum ObjectTest: Sendable {
    case never
    case all([ObjectTest])
    /// One of several conditions holds, or there is none.
    case any([ObjectTest])
    indirect case not(ObjectTest)
    case attribute(AttributeTest)

    /// Evaluates the condition.
    /// - Parameters:
    ///   - attribute: The value of a member.
    ///   - budget: The work that is left.
    /// - Returns: Whether the condition holds; of no meaning if the budget is used up.
    func matches(_ attribute: (String) -> JSONValue?, _ budget: ReadBudget) -> Bool {
        switch self {
        case .never: return false
        case .all(let tests):
            for test in tests where !test.matches(attribute, budget) { return false }
            return true
        case .any(let tests):
            for test in tests where test.matches(attribute, budget) { return true }
            return tests.isEmpty
        case .not(let test): return !test.matches(attribute, budget)
        case .attribute(let test): return test.matches(attribute, budget)
        }
    }
}

/// A compiled condition on what is at a path. A class, so that an evaluation counts one reference.
final class AttributeTest: Sendable {
    let path: AttributePath
    let test: ValueTest

    init(_ path: AttributePath, _ test: ValueTest) {
        (self.path, self.test) = (path, test)
    }

    func matches(_ attribute: (String) -> JSONValue?, _ budget: ReadBudget) -> Bool {
        test.matches(path.value(attribute), budget)
    }
}
