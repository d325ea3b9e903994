/// A compiled condition on an object's members.
indirect enum ObjectTest: Sendable {
    case never
    case all([ObjectTest])
    /// One of several conditions holds, or there is none.
    case any([ObjectTest])
    case not(ObjectTest)
    case attribute(AttributePath, ValueTest)

    /// Evaluates the condition.
    /// - Parameter attribute: The value of a member.
    /// - Returns: Whether the condition holds.
    func matches(_ attribute: (String) -> JSONValue?) -> Bool {
        switch self {
        case .never: return false
        case .all(let tests):
            for test in tests where !test.matches(attribute) { return false }
            return true
        case .any(let tests):
            for test in tests where test.matches(attribute) { return true }
            return tests.isEmpty
        case .not(let test): return !test.matches(attribute)
        case .attribute(let path, let test): return test.matches(path.value(attribute))
        }
    }
}
