import TestSupport
import Testing
import TrackerConfig

/// The automaton against a backtracking matcher.
@Suite("Regular expressions against an oracle", .endsWhenItHangs)
struct RegularExpressionOracleTests {
    /// Patterns and texts from a seed.
    private struct Maker {
        private var state: UInt64
        /// Characters that both the patterns and the texts have, so that many match.
        private static let characters = ["a", "b", "ab", " ", "-", "é"]
        private static let assertions = ["\\b", "\\B", "^", "$"]

        init(seed: UInt64) { state = seed }

        private mutating func number(below bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }

        private mutating func one(of list: [String]) -> String { list[number(below: list.count)] }

        private mutating func times(_ most: Int, _ body: (inout Maker) -> String) -> String {
            (0..<1 + number(below: most)).map { _ in body(&self) }.joined()
        }

        mutating func text() -> String { times(8) { $0.one(of: Self.characters + ["a ", "b "]) } }

        private mutating func atom(_ depth: Int) -> String {
            switch number(below: depth > 0 ? 8 : 5) {
            case 0: one(of: ["\\w", "\\s", "\\W", "\\S", ".", "[ab]", "[^a]", "[a-c ]", "\\d"])
            case 1...4: one(of: Self.characters)
            default: "(?:\(pattern(depth - 1)))"
            }
        }

        private mutating func term(_ depth: Int) -> String {
            if number(below: 4) == 0 { return one(of: Self.assertions) }
            let atom = atom(depth)
            let quantifier = number(below: 2) == 0 ? "" : one(of: ["*", "+", "?", "{2}", "{0,2}", "{1,}", "*?"])
            return quantifier.isEmpty || atom.unicodeScalars.count == 1 || atom.hasPrefix("(") || atom.hasPrefix("[")
                || atom.hasPrefix("\\") ? atom + quantifier : "(\(atom))\(quantifier)"
        }

        mutating func pattern(_ depth: Int = 2) -> String {
            let first = times(3) { $0.term(depth) }
            return number(below: 3) == 0 ? first + "|" + times(3) { $0.term(depth) } : first
        }

        /// A loop whose bodies begin with an assertion, and whose exit does too.
        mutating func loop() -> String {
            let bodies = (0..<1 + number(below: 3)).map { _ in one(of: Self.assertions) + times(3) { $0.term(0) } }
            let loop = "(?:\(bodies.joined(separator: "|")))" + one(of: ["*", "+", "?", "{0,3}", "{2,}"])
            return loop + one(of: Self.assertions) + times(2) { $0.term(0) }
        }
    }

    @Test("a loop and its exit may begin with the same assertion")
    func assertionsOfLoops() throws {
        #expect(try RegularExpression(#"(?:\bvery\s)*\bgood"#).search("very  good") == .found)
        let audience = Condition(["v": ["$notRegex": #"(?:\bvery\s)*\bgood"#]])
        #expect(!audience.matches { _ in "very  good" })
    }

    @Test("random patterns find what a backtracking matcher finds", arguments: [false, true])
    func randomPatterns(areLoops: Bool) throws {
        try compare(areLoops ? 29 : 4) { areLoops ? $0.loop() : $0.pattern() }
    }

    @Test("case is ignored as the backtracking matcher ignores it")
    func ignoredCase() throws {
        try compare(7, ignoresCase: true) { $0.pattern() }
    }

    private func compare(
        _ seed: UInt64, ignoresCase: Bool = false, _ makePattern: (inout Maker) -> String
    ) throws {
        let count = Search.count(200)
        var maker = Maker(seed: Search.seed(seed))
        var (compared, found) = (0, 0)
        for _ in 0..<count {
            let pattern = makePattern(&maker)
            let expression = try RegularExpression(pattern, ignoresCase: ignoresCase)
            for _ in 0..<2 {
                let text = ignoresCase ? maker.text().uppercased() : maker.text()
                // Nil if the oracle does not know a part of the pattern, or takes too long.
                guard let expected = PatternOracle.search(text, for: pattern, ignoresCase: ignoresCase) else {
                    continue
                }
                compared += 1
                if expected { found += 1 }
                try #require(expression.search(text) == (expected ? .found : .notFound), "\(pattern) in '\(text)'")
            }
        }
        // The oracle knows enough of the patterns, and both results are frequent.
        #expect(compared > count / 4)
        #expect((compared / 20..<compared * 19 / 20).contains(found))
    }
}
