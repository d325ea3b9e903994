/// The first part of a condition that does not hold for some attributes.
package struct FailedClause: Sendable, Hashable {
    /// The attribute's path, such as "plan" or "address.city"; the operator if it combines conditions, such as "$or".
    package let path: String

    /// The operator; "$eq" if the condition names none.
    package let operation: String

    /// What the operator compares with.
    package let operand: JSONValue

    /// The attribute's value; null if it is missing, which means the same.
    package let value: JSONValue

    /// What fails in each branch of "$or", in their order.
    package let branches: [FailedClause]

    init(
        path: String, _ operation: String, _ operand: JSONValue, value: JSONValue = .null,
        branches: [FailedClause] = []
    ) {
        (self.path, self.operation, self.operand) = (path, operation, operand)
        (self.value, self.branches) = (value, branches)
    }

    /// The clause without its operand and value, which may be secrets.
    package var hidden: FailedClause {
        FailedClause(path: path, operation, .hidden, value: .hidden, branches: branches.map(\.hidden))
    }

    /// The root of the attribute's path: its name.
    package var attribute: String { AttributePath(path).root }

    /// The clause in words: "plan: 'free' is not 'pro'".
    package var words: String {
        switch operation {
        case "$or": return "$or: " + branches.map(\.words).joined(separator: "; ")
        case "$nor", "$not":
            guard path == operation else { break }
            return "\(path): \(operand.inWords) holds"
        case "unusable": return "\(path): \(operand.string ?? "it cannot be used")"
        default: break
        }
        let name = path.oneLine(most: 100)
        if value == .hidden { return "\(name): a secret value does not satisfy \(operation)" }
        if value == .null { return "\(name): missing" }
        return "\(name): \(value.inWords) \(relation) \(operand.inWords)"
    }

    private var relation: String {
        switch operation {
        case "$eq", "$veq": "is not"
        case "$ne", "$vne": "is, against \(operation),"
        case "$in", "$ini": "is not one of"
        case "$inGroup": "is not in segment"
        case "$nin", "$nini": "is one of"
        case "$notInGroup": "is in segment"
        case "$lt", "$vlt": "is not below"
        case "$lte", "$vlte": "is not at most"
        case "$gt", "$vgt": "is not above"
        case "$gte", "$vgte": "is not at least"
        case "$before": "is not before"
        case "$after": "is not after"
        case "$cidr": "is not in"
        case "$regex", "$regexi": "does not match"
        case "$notRegex", "$notRegexi": "matches, against \(operation),"
        default: "does not satisfy \(operation)"
        }
    }
}

extension JSONValue {
    /// The value in a few words of a sentence, cut if it is long.
    package var inWords: String {
        switch self {
        case .string(let text): text.excerpt
        case .array(let elements) where isLong: "a list of \(elements.count) values"
        case .object where isLong: "a large object"
        default: description.oneLine(most: 60)
        }
    }

    /// The value if it is short, else what it is in a few words.
    package var abridged: JSONValue { isLong ? .string(inWords) : self }

    private var isLong: Bool { description.utf8.count > 320 }
}
