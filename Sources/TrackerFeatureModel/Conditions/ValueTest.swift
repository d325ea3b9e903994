/// A compiled condition on one value; a missing attribute is null.
enum ValueTest: Sendable {
    case never
    /// All operators hold.
    case all([ValueTest])
    indirect case not(ValueTest)
    /// The value as text equals a text.
    case text(TextTest)
    /// The value as text equals a text that is in lower case, in whatever case.
    case foldedText(String)
    /// The value as a number equals a number.
    case number(JSONValue)
    /// The value is not null and counts as true or as false.
    case truth(Bool)
    case null
    case structure(JSONValue)
    /// `$eq`.
    case strict(JSONValue)
    case order(OrderTest)
    case member(ValueSet)
    /// `$all`: each condition holds for an element.
    case eachHasElement([ValueTest])
    indirect case element(ElementTest)
    indirect case size(ValueTest)
    case type(ValueType)
    case pattern(RegularExpression, isFound: Bool)
    case version(VersionTest)
    case instant(InstantTest)
    /// `$cidr`.
    case network([Network])

    /// Whether the condition holds; of no meaning if the budget is used up.
    func matches(_ value: JSONValue, _ budget: ReadBudget) -> Bool {
        switch self {
        case .never: return false
        case .all(let tests):
            for test in tests where !test.matches(value, budget) { return false }
            return true
        case .not(let test): return !test.matches(value, budget)
        case .text(let test): return test.matches(value)
        case .foldedText(let text): return value.javaScriptText.lowercased().isExactly(text)
        case .number(let number):
            if case .int = value { return value.isStrictlyEqual(to: number) }
            return value.javaScriptNumber == number.javaScriptNumber
        case .truth(let truth): return value != .null && value.isTruthy == truth
        case .null: return value == .null
        case .structure(let json): return value.isStructurallyEqual(to: json)
        case .strict(let other): return value.isStrictlyEqual(to: other)
        case .order(let test): return test.matches(value)
        case .member(let set): return set.contains(anyOf: value)
        case .eachHasElement(let tests):
            guard case .array(let elements) = value else { return false }
            return tests.allSatisfy { test in elements.contains { test.matches($0, budget) } }
        case .element(let test):
            guard case .array(let elements) = value else { return false }
            return elements.contains { test.matches($0, budget) }
        case .size(let test):
            guard case .array(let elements) = value else { return false }
            return test.matches(.int(elements.count), budget)
        case .type(let type): return type.includes(value)
        case .pattern(let pattern, let isFound):
            // A pattern matches only text.
            guard case .string(let text) = value else { return !isFound }
            // A search that was given up holds for neither operator.
            return pattern.search(text, budget) == (isFound ? .found : .notFound)
        case .version(let test): return test.matches(value)
        case .instant(let test): return test.matches(value)
        case .network(let networks):
            guard case .string(let text) = value,
                let address = NetworkAddress(text.utf8)
            else { return false }
            return networks.contains { $0.contains(address) }
        }
    }
}
