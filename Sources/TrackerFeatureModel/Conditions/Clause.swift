/// An operator on the value at a path. A class, so that an evaluation counts one reference.
final class Clause: Sendable {
    private let path: AttributePath
    /// The operator; "$eq" if the condition has none.
    private let operation: String
    private let operand: JSONValue
    private let test: ValueTest

    init(_ path: AttributePath, _ operation: String, _ operand: JSONValue, _ test: ValueTest) {
        (self.path, self.operation, self.operand, self.test) = (path, operation, operand, test)
    }

    func matches(_ attribute: (String) -> JSONValue?, _ budget: ReadBudget) -> Bool {
        test.matches(path.value(attribute), budget)
    }

    /// The reason why the clause does not hold: "plan: 'free' is not 'pro'".
    func failure(_ attribute: (String) -> JSONValue?) -> String {
        let value = path.value(attribute)
        let reason = value == .null ? "missing" : form(of: value) ?? "\(value.inWords) \(relation(to: value))"
        return "\(path.text.oneLine(most: 100)): \(reason)"
    }

    /// The reason why the operator never holds for a value of this form; nil if the form is right.
    private func form(of value: JSONValue) -> String? {
        switch (test, value) {
        case (.instant, .string(let text)): Instant(text) == nil ? Instant.fault(of: text) : nil
        case (.network, .string(let text)): NetworkAddress(text) == nil ? "\(text.excerpt) is not an address" : nil
        case (.instant, _): value.instant == nil ? "\(value.inWords) is not a moment" : nil
        case (.network, _): "\(value.inWords) is not an address"
        default: nil
        }
    }

    private func relation(to value: JSONValue) -> String {
        let words =
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
        return "\(words) \(operand.inWords)\(caveat(of: value))"
    }

    /// The explanation of a comparison that may seem wrong.
    private func caveat(of value: JSONValue) -> String {
        switch (test, value) {
        case (.order(_, .string), .string): "; texts compare by characters"
        case (.text(let other), .string(let text)), (.strict(.string(let other)), .string(let text)):
            text == other ? "; they differ in Unicode normalization" : ""
        case (.strict(.int), .string), (.strict(.double), .string): "; a text equals no number"
        case (.member, .string) where operand.array?.contains { $0.double != nil } ?? false: "; a text equals no number"
        default: ""
        }
    }
}
