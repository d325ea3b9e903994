/// A compiled condition on an object's members.
enum ObjectTest: Sendable {
    case never
    case all([ObjectTest])
    /// One of several conditions holds, or there is none.
    case any([ObjectTest])
    indirect case not(ObjectTest)
    case attribute(AttributeTest)

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
        case .attribute(let test): return test.matches(attribute)
        }
    }
}

/// A compiled condition on what is at a path. A class, so that an evaluation counts one reference.
final class AttributeTest: Sendable {
    private let path: AttributePath
    private let test: ValueTest

    init(_ path: AttributePath, _ test: ValueTest) {
        (self.path, self.test) = (path, test)
    }

    func matches(_ attribute: (String) -> JSONValue?) -> Bool { test.matches(path.value(attribute)) }
}
