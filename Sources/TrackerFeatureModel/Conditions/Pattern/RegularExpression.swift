/// A regular expression in JavaScript's syntax that is searched for in bounded time.
///
/// Literals, `.`, classes with ranges and escapes, groups, alternation, quantifiers, `^`, `$`, `\b` and `\B` are
/// supported; back references, look-around and `\p{…}` are not. A pattern is compiled to a nondeterministic automaton,
/// of which all states are followed at once: no pattern makes a search backtrack.
package final class RegularExpression: Sendable {
    /// The most UTF-8 bytes of a pattern.
    package static let maximumLength = 4096

    /// The most instructions of a compiled pattern; `a{100}` has a hundred.
    package static let maximumSize = 2000

    /// The most steps of one search.
    package static let maximumSteps = 1_000_000

    /// The result of a search.
    package enum Outcome: Sendable, Hashable {
        case found
        case notFound
        /// The search took more steps than it may.
        case tooManySteps
    }

    private let program: PatternProgram

    /// Compiles a pattern.
    /// - Parameters:
    ///   - pattern: The pattern, without slashes around it.
    ///   - ignoresCase: Whether letters match in both cases, by simple case folding.
    /// - Throws: ``RegularExpressionError`` if the pattern is malformed, too large or not supported.
    package init(_ pattern: String, ignoresCase: Bool = false) throws(RegularExpressionError) {
        guard pattern.utf8.count <= Self.maximumLength else {
            throw RegularExpressionError("the pattern is longer than \(Self.maximumLength) bytes")
        }
        var parser = PatternParser(pattern, ignoresCase: ignoresCase)
        program = try PatternProgram(try parser.parse(), maximumSize: Self.maximumSize)
    }

    /// Searches a text.
    /// - Parameters:
    ///   - text: The text.
    ///   - maximumSteps: The most steps, a few for each scalar and each state that is followed; 1,000,000 by default.
    /// - Returns: Whether a part of the text matches.
    package func search(_ text: String, maximumSteps: Int = maximumSteps) -> Outcome {
        var matcher = PatternMatcher(program, maximumSteps: maximumSteps)
        return matcher.search(text)
    }

    /// Searches a text, and takes the steps from a budget.
    /// - Parameters:
    ///   - text: The text.
    ///   - budget: The budget, which is used up if the search takes more steps than it may.
    /// - Returns: Whether a part of the text matches.
    func search(_ text: String, _ budget: ReadBudget) -> Outcome {
        guard budget.spend(0) else { return .tooManySteps }
        var matcher = PatternMatcher(program, maximumSteps: min(Self.maximumSteps, budget.steps))
        let outcome = matcher.search(text)
        // One that is given up gives up the read.
        return budget.spend(outcome == .tooManySteps ? budget.steps + 1 : matcher.steps) ? outcome : .tooManySteps
    }
}
