/// A regular expression in JavaScript's syntax with searches in bounded time.
///
/// Literals, `.`, classes with ranges and escapes, groups, alternation, quantifiers, `^`, `$`, `\b` and `\B` are
/// supported; back references, look-around and `\p{…}` are not. A pattern is compiled to a nondeterministic automaton,
/// and a search follows all its states at once, so that it never backtracks.
package final class RegularExpression: Sendable {
    /// The maximum length of a pattern, in UTF-8 bytes.
    package static let maximumLength = 4096

    /// The maximum number of instructions of a compiled pattern; `a{100}` has a hundred.
    package static let maximumSize = 2000

    /// The maximum number of steps of one search.
    package static let maximumSteps = 1_000_000

    /// The result of a search.
    package enum Outcome: Sendable, Hashable {
        case found
        case notFound
        /// The search exceeded its maximum number of steps.
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
    ///   - maximumSteps: The maximum number of steps, a few for each scalar and followed state; 1,000,000 by default.
    /// - Returns: Whether a part of the text matches.
    package func search(_ text: String, maximumSteps: Int = maximumSteps) -> Outcome {
        var matcher = PatternMatcher(program, maximumSteps: maximumSteps)
        return matcher.search(text)
    }

    /// Searches a text, and spends the steps from a budget.
    /// - Parameters:
    ///   - text: The text.
    ///   - budget: The budget, which is exhausted if the search exceeds its maximum number of steps.
    /// - Returns: Whether a part of the text matches.
    func search(_ text: String, _ budget: ReadBudget) -> Outcome {
        guard budget.spend(0) else { return .tooManySteps }
        var matcher = PatternMatcher(program, maximumSteps: min(Self.maximumSteps, budget.steps))
        let outcome = matcher.search(text)
        // If the search is given up, the read is given up too.
        return budget.spend(outcome == .tooManySteps ? budget.steps + 1 : matcher.steps) ? outcome : .tooManySteps
    }
}

/// An error in a pattern.
package struct RegularExpressionError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason, such as "look-ahead '(?=' is not supported".
    package let reason: String

    /// The place in the pattern, in Unicode scalars from 1; nil for the whole pattern.
    package let position: Int?

    init(_ reason: String, at offset: Int? = nil) {
        self.reason = reason
        position = offset.map { $0 + 1 }
    }

    package var description: String { position.map { "\(reason) (character \($0))" } ?? reason }
}
