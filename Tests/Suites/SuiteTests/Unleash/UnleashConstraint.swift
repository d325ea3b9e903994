import Foundation
import TrackerConfig

/// A constraint of a strategy or of a segment of Unleash as a condition.
struct UnleashConstraint {
    let condition: JSONObject

    /// - Throws: A reason if no condition means the same.
    init(_ constraint: JSONValue) throws(Judgement.Unmapped) {
        let name = constraint["contextName"]?.string ?? ""
        guard !name.contains(".") else { throw Judgement.Unmapped("an attribute with a dot in its name") }
        let plain = Self.condition(constraint, on: name)
        condition = constraint["inverted"] == true ? ["$not": .object(plain)] : plain
    }

    private static func condition(_ constraint: JSONValue, on name: String) -> JSONObject {
        let (value, values) = (constraint["value"]?.string ?? "", constraint["values"] ?? [])
        let texts = (values.array ?? []).compactMap(\.string)
        let ignoresCase = constraint["caseInsensitive"] == true
        func pattern(_ begin: String, _ end: String) -> JSONObject {
            let words = texts.map(\.escapedForRegularExpression).joined(separator: "|")
            return [ignoresCase ? "$regexi" : "$regex": .string("\(begin)(?:\(words))\(end)")]
        }
        func present(_ operators: JSONObject) -> JSONObject {
            [name: .object(JSONObject([("$exists", true)] + operators.members.map { ($0.name, $0.value) }))]
        }
        func number(_ operators: String...) -> JSONObject {
            guard let number = Double(value) else { return .never }
            return present(JSONObject(operators.map { ($0, .double(number)) }))
        }
        func version(_ operator: String) -> JSONObject {
            present([`operator`: .string(value), "$regex": .string(#"^\d+\.\d+\.\d+([-+]|$)"#)])
        }
        func moment(_ operator: String) -> JSONObject { [name: [`operator`: .string(value)]] }
        return switch constraint["operator"]?.string {
        case "IN": [name: ["$in": values]]
        case "NOT_IN": [name: ["$nin": values]]
        case "STR_STARTS_WITH": present(pattern("^", ""))
        case "STR_ENDS_WITH": present(pattern("", "$"))
        case "STR_CONTAINS": present(pattern("", ""))
        // `$eq` does not convert a text, and these do.
        case "NUM_EQ": number("$gte", "$lte")
        case "NUM_GT": number("$gt")
        case "NUM_GTE": number("$gte")
        case "NUM_LT": number("$lt")
        case "NUM_LTE": number("$lte")
        case "SEMVER_EQ": version("$veq")
        case "SEMVER_GT": version("$vgt")
        case "SEMVER_GTE": version("$vgte")
        case "SEMVER_LT": version("$vlt")
        case "SEMVER_LTE": version("$vlte")
        case "DATE_AFTER": moment("$after")
        case "DATE_BEFORE": moment("$before")
        case "IN_CIDR": address(name, in: values.array ?? [])
        case "REGEX": present([ignoresCase ? "$regexi" : "$regex": .string(value)])
        default: .never
        }
    }

    /// The condition that an address is in one of these ranges. What is no range contains nothing.
    static func address(_ name: String, in ranges: [JSONValue]) -> JSONObject {
        [name: ["$cidr": .array(ranges.filter { $0.string.map(isRange) ?? false })]]
    }

    private static func isRange(_ text: String) -> Bool {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        var address = in6_addr()
        let isAddress = inet_pton(AF_INET, parts[0], &address) == 1 || inet_pton(AF_INET6, parts[0], &address) == 1
        return isAddress && parts.count <= 2 && (parts.count == 1 || Int(parts[1]) != nil)
    }
}

extension String {
    /// The text as a pattern that finds it.
    var escapedForRegularExpression: String {
        let special: Set<Character> = ["\\", "^", "$", ".", "|", "?", "*", "+", "(", ")", "[", "]", "{", "}", "/"]
        return reduce(into: "") { $0 += special.contains($1) ? "\\\($1)" : "\($1)" }
    }
}
