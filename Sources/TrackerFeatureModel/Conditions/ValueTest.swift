/// A compiled condition on one value; a missing attribute is null.
enum ValueTest: Sendable {
    case never
    /// All operators hold.
    case all([ValueTest])
    indirect case not(ValueTest)
    /// The value as text equals a text.
    case text(String)
    /// The value as text equals a lower-case text, ignoring case.
    case foldedText(String)
    /// The value as a number equals a number.
    case number(JSONValue)
    /// The value is not null and counts as true or as false.
    case truth(Bool)
    case null
    case structure(JSONValue)
    /// `$eq`.
    case strict(JSONValue)
    case order(Comparison, JSONValue)
    case member(ValueSet)
    /// `$all`: each condition holds for an element.
    case eachHasElement([ValueTest])
    /// `$elemMatch` with operators.
    indirect case element(ValueTest)
    /// `$elemMatch` with names.
    case elementObject(ObjectTest)
    indirect case size(ValueTest)
    case type(ValueType)
    case pattern(RegularExpression, isFound: Bool)
    case version(Comparison, Version)
    /// `$before` or `$after`.
    case instant(Comparison, Instant)
    /// `$cidr`.
    case network([Network])

    /// Whether the condition holds; meaningless if the budget is exhausted.
    func matches(_ value: JSONValue, _ budget: ReadBudget) -> Bool {
        switch self {
        case .never: return false
        case .all(let tests): return tests.allSatisfy { $0.matches(value, budget) }
        case .not(let test): return !test.matches(value, budget)
        case .text(let text):
            if case .string(let other) = value { return other.isExactly(text) }
            return value.javaScriptText.isExactly(text)
        case .foldedText(let text): return value.javaScriptText.lowercased().isExactly(text)
        case .number(let number): return value.javaScriptNumber.isStrictlyEqual(to: number)
        case .truth(let truth): return value != .null && value.isTruthy == truth
        case .null: return value == .null
        case .structure(let json): return value.isStructurallyEqual(to: json)
        case .strict(let other): return value.isStrictlyEqual(to: other)
        case .order(let comparison, let other): return comparison.holds(value.order(to: other))
        case .member(let set): return set.contains(anyOf: value)
        case .eachHasElement(let tests):
            guard case .array(let elements) = value else { return false }
            return tests.allSatisfy { test in elements.contains { test.matches($0, budget) } }
        // As in GrowthBook, an element that counts as false, such as 0, never matches.
        case .element(let test):
            return value.array?.contains { $0.isTruthy && test.matches($0, budget) } ?? false
        case .elementObject(let test):
            return value.array?.contains { element in
                element.isTruthy && test.matches({ element[$0] }, budget)
            } ?? false
        case .size(let test): return value.array.map { test.matches(.int($0.count), budget) } ?? false
        case .type(let type): return type.includes(value)
        case .pattern(let pattern, let isFound):
            // A pattern matches only text.
            guard case .string(let text) = value else { return !isFound }
            // After a search that was given up, neither operator holds.
            return pattern.search(text, budget) == (isFound ? .found : .notFound)
        case .version(let comparison, let version): return comparison.holds(version.order(of: value))
        case .instant(let comparison, let instant):
            return comparison.holds(value.instant.map { $0 < instant ? -1 : $0 == instant ? 0 : 1 })
        case .network(let networks):
            guard case .string(let text) = value, let address = NetworkAddress(text) else { return false }
            return networks.contains { $0.contains(address) }
        }
    }
}

extension JSONValue {
    /// The moment of an attribute: a text of RFC 3339, or a number of milliseconds since 1970; nil for anything else.
    var instant: Instant? {
        switch self {
        case .string(let text): Instant(text)
        case .int(let milliseconds): Instant(milliseconds: Int64(milliseconds))
        case .double(let number): Int64(exactly: number.rounded(.down)).map(Instant.init)
        case .null, .bool, .array, .object: nil
        }
    }
}

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

/// The types of values in `$type`.
enum ValueType: String, Sendable, CaseIterable {
    case null, string, number, boolean, array, object

    func includes(_ value: JSONValue) -> Bool {
        switch value {
        case .null: self == .null
        case .bool: self == .boolean
        case .int, .double: self == .number
        case .string: self == .string
        case .array: self == .array
        case .object: self == .object
        }
    }
}
