/// Random patterns and texts, the same for the same seed.
struct PatternMaker: RandomNumberGenerator {
    /// What another engine means by other words than JavaScript.
    struct Dialect {
        /// Characters of texts, which patterns have too.
        let characters: [String]
        /// Characters that only texts have.
        let others: [String]
    }

    private static let atoms = [
        ".", #"\d"#, #"\D"#, #"\w"#, #"\W"#, #"\s"#, #"\S"#, "[ab]", "[^a]", "[a-c1]", #"[^\d_]"#, #"[\w-]"#, #"\x61"#,
        #"\u00e9"#, #"\."#, #"[\s\S]"#, #"[^\]]"#, #"[\]b]"#,
    ]
    private static let assertions = ["^", "$", #"\b"#, #"\B"#]
    private static let quantifiers = ["*", "+", "?", "*?", "+?", "??", "{2}", "{1,}", "{0,2}", "{1,2}?"]

    private let dialect: Dialect
    private var state: UInt64

    init(seed: UInt64, _ dialect: Dialect) {
        (state, self.dialect) = (seed, dialect)
    }

    mutating func next() -> UInt64 {
        // SplitMix64.
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    mutating func text() -> String {
        (0...number(below: 8)).map { _ in one(of: dialect.characters + dialect.others) }.joined()
    }

    mutating func pattern(depth: Int = 2) -> String {
        (0...number(below: 2)).map { _ in (0..<number(below: 4)).map { _ in term(depth) }.joined() }
            .joined(separator: "|")
    }

    private mutating func term(_ depth: Int) -> String {
        if number(below: 6) == 0 { return one(of: Self.assertions) }
        guard depth > 0, number(below: 3) == 0 else {
            let atom = number(below: 2) == 0 ? one(of: Self.atoms) : escaped(one(of: dialect.characters))
            return atom + quantifier(Self.quantifiers)
        }
        // The other engines backtrack, so a loop stands in one other at most.
        // Some bodies begin with an assertion, as what comes after the loop may.
        let assertion = number(below: 3) == 0 ? one(of: Self.assertions) + term(0) : ""
        let group = one(of: ["(", "(?:"]) + assertion + pattern(depth: depth - 1) + ")"
        return group + quantifier(depth == 1 ? Self.quantifiers : ["?", "??"])
    }

    private mutating func quantifier(_ list: [String]) -> String { number(below: 2) == 0 ? "" : one(of: list) }

    private func escaped(_ character: String) -> String {
        [".", "(", "+"].contains(character) ? "\\\(character)" : character
    }

    private mutating func number(below bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

    private mutating func one(of list: [String]) -> String { list[number(below: list.count)] }
}
