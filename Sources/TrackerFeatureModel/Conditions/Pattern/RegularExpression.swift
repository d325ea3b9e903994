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

    /// The result of a search.
    package enum Outcome: Sendable, Hashable {
        case found
        case notFound
        /// The search took more steps than it may.
        case tooManySteps
    }

    let program: PatternProgram
    private let literal: PatternLiteral?

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
        let node = try parser.parse()
        var compiler = PatternCompiler(maximumSize: Self.maximumSize)
        try compiler.compile(node)
        program = PatternProgram(compiler.instructions, sets: parser.sets)
        literal = PatternLiteral(compiler.instructions)
    }

    /// Searches a text.
    /// - Parameters:
    ///   - text: The text.
    ///   - maximumSteps: The most steps, a few for each scalar and each state that is followed; 1,000,000 by default.
    /// - Returns: Whether a part of the text matches.
    package func search(_ text: String, maximumSteps: Int = 1_000_000) -> Outcome {
        // A native string gives its bytes; another one is copied.
        let outcome = text.utf8.withContiguousStorageIfAvailable { search($0, maximumSteps) }
        if let outcome { return outcome }
        return Array(text.utf8).withUnsafeBufferPointer { search($0, maximumSteps) }
    }

    private func search(_ text: UnsafeBufferPointer<UInt8>, _ maximumSteps: Int) -> Outcome {
        if let literal { return literal.search(text, maximumSteps: maximumSteps) }
        return PatternMatcher.search(text, for: program, maximumSteps: maximumSteps)
    }
}
