import Foundation
import TrackerConfig

/// A clause of LaunchDarkly's as a condition on one attribute. Where LaunchDarkly compares values of one type only, a condition
/// asks for the type.
enum LaunchDarklyClause {
    // Its numbers may be fewer than three, and have no leading zero.
    private static let version = #"^(0|[1-9]\d*)(\.(0|[1-9]\d*)){0,2}(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$"#

    private static let moment = #"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)"#

    /// The path of a clause's attribute. A leading slash makes it the path of a member.
    static func attribute(of clause: JSONValue) throws(Judgement.Unmapped) -> String {
        let reference = clause["attribute"]?.string ?? ""
        if reference == "kind" { return reference }
        let parts =
            reference.hasPrefix("/")
            ? reference.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map(String.init)
            : [reference]
        let names = parts.map { $0.replacing("~1", with: "/").replacing("~0", with: "~") }
        // Each tilde begins an escape of two characters.
        let isMalformed = zip(parts, names).contains { part, name in
            part.isEmpty || part.filter { $0 == "~" }.count != part.count - name.count
        }
        guard !isMalformed else { throw Judgement.Unmapped("a malformed reference to an attribute") }
        guard !names.contains(where: { $0.contains(".") }) else {
            throw Judgement.Unmapped("an attribute with a dot in its name")
        }
        return ([clause["contextKind"]?.string ?? "user"] + names).joined(separator: ".")
    }

    /// The condition that an attribute, or an element of its list, has an operator's relation to one of some values.
    static func condition(_ op: String, _ values: [JSONValue], on attribute: String) -> JSONObject {
        if op == "in" {
            // `$in` compares whole values; lists and objects equal none.
            return [attribute: ["$in": .array(values.filter { $0.array == nil && $0.object == nil })]]
        }
        let comparisons = values.flatMap { alternatives(op, $0) }
        let any = comparisons.flatMap { comparison -> [JSONValue] in
            [[attribute: .object(comparison)], [attribute: ["$elemMatch": .object(comparison)]]]
        }
        return ["$or": .array(any + [.object(.never)])]
    }

    private static func alternatives(_ op: String, _ value: JSONValue) -> [JSONObject] {
        func text(_ operators: (String) -> JSONObject) -> [JSONObject] {
            value.string.map { [JSONObject([("$type", "string")] + operators($0).members.map { ($0.name, $0.value) })] }
                ?? []
        }
        func number(_ comparison: String) -> [JSONObject] {
            value.double == nil ? [] : [["$type": "number", comparison: value]]
        }
        func version(_ comparison: String) -> [JSONObject] {
            guard let text = value.string, text.isWhole(Self.version) else { return [] }
            return [["$type": "string", "$regex": .string(Self.version), comparison: value]]
        }
        switch op {
        case "startsWith": return text { ["$regex": .string("^\($0.escapedForRegularExpression)")] }
        case "endsWith": return text { ["$regex": .string("\($0.escapedForRegularExpression)$")] }
        case "contains": return text { ["$regex": .string($0.escapedForRegularExpression)] }
        case "matches": return text { ["$regex": .string($0)] }
        case "lessThan": return number("$lt")
        case "lessThanOrEqual": return number("$lte")
        case "greaterThan": return number("$gt")
        case "greaterThanOrEqual": return number("$gte")
        case "before": return moment(value).map { [["$before": .string($0)]] } ?? []
        case "after": return moment(value).map { [["$after": .string($0)]] } ?? []
        case "semVerEqual": return version("$veq")
        case "semVerLessThan": return version("$vlt")
        case "semVerGreaterThan": return version("$vgt")
        // A rule with an operator that is not known matches nothing.
        default: return [["$\(op)": value]]
        }
    }

    /// A moment is a text of RFC 3339, or a number of milliseconds since 1970, which a document writes as a text.
    private static func moment(_ value: JSONValue) -> String? {
        switch value {
        case .string(let text): return text.isWhole(Self.moment) ? text : nil
        default:
            return value.double.map {
                Date(timeIntervalSince1970: $0 / 1000).ISO8601Format(.init(includingFractionalSeconds: true))
            }
        }
    }
}

extension String {
    fileprivate func isWhole(_ pattern: String) -> Bool { (try? Regex(pattern).wholeMatch(in: self)) != nil }
}
