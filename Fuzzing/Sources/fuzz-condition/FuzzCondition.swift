import Foundation
import Harness
@_spi(Tools) import TrackerConfig

private typealias Condition = Internals.CompiledCondition

/// Offers the first line of the input as a condition and as a regular expression, the rest as attributes and as a text.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCondition(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let parts = input(start, count).split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
    let (first, rest) = (Array(parts[0]), Array(parts.dropFirst().first ?? []))
    search(String(decoding: first, as: UTF8.self), in: String(decoding: rest, as: UTF8.self))
    if let condition = object(first) { evaluate(condition, over: object(rest) ?? [:]) }
    return 0
}

private func object(_ text: [UInt8]) -> JSONObject? {
    try? JSONDecoder().decode(JSONObject.self, from: Data(text))
}

private func evaluate(_ json: JSONObject, over attributes: JSONObject) {
    let segments: JSONObject = ["beta": ["u-1", 1]]
    let condition = Condition(json, segments: segments)
    let again = Condition(json, segments: segments)
    check(condition == again, "two compilations of one condition are equal")
    check(
        condition.problems.elementsEqual(again.problems, by: ==),
        "two compilations of one condition have the same problems")
    check(condition.problems)
    let isMatch = condition.matches { attributes[$0] }
    check(again.matches { attributes[$0] } == isMatch, "two evaluations agree")
    let negated = Condition(["$not": .object(json)], segments: segments)
    let isNegatedMatch = negated.matches { attributes[$0] }
    if condition.problems.contains(where: \.isFatal) {
        check(!isMatch && !isNegatedMatch, "a condition with a fatal problem matches nothing")
    } else if !negated.problems.contains(where: \.isFatal) {
        check(isMatch != isNegatedMatch, "a condition or its contrary matches")
    }
}

private func search(_ pattern: String, in text: String) {
    for (name, contrary) in [("$regex", "$notRegex"), ("$regexi", "$notRegexi")] {
        let condition = Condition(["a": [name: .string(pattern)]])
        let negated = Condition(["a": [contrary: .string(pattern)]])
        check(condition.problems)
        check(condition.problems.map(\.reason) == negated.problems.map(\.reason), "a pattern has the same problems")
        let isFound = condition.matches { _ in .string(text) }
        let isMissing = negated.matches { _ in .string(text) }
        check(!(isFound && isMissing), "a text matches a pattern or not")
        // Short texts and patterns never take too many steps.
        let isShort = pattern.utf8.count * text.utf8.count < 1000 && !pattern.contains("{")
        guard condition.problems.isEmpty && isShort else { continue }
        check(isFound != isMissing, "a short search ends")
        if let expected = PatternOracle.search(text, for: pattern, ignoresCase: name == "$regexi") {
            check(isFound == expected, "a search finds what backtracking finds")
        }
    }
}

private func check(_ problems: [(path: String, reason: String, isFatal: Bool)]) {
    for problem in problems {
        check(
            !problem.reason.isEmpty && !problem.reason.contains(where: \.isNewline), "a problem is a line: \(problem)")
        check(problem.path.hasPrefix("."), "a problem has its place: \(problem)")
    }
}
