import Testing
import TrackerFeatures

/// `$regex` and `$regexi` beside other engines. What these mean differently is not asked of them:
///
/// - Python's `$` also matches before a line break at the end, its `.` matches all line breaks but one, and it ignores the case of
///   ASCII letters only: its texts have no line breaks and no other letters with a case.
/// - Without the flag `u`, JavaScript takes a character beyond 16 bits for two, so it has the flag.
@Suite("Regular expressions beside other engines")
struct PatternTests {
    private static let patterns = 21_000
    private static let textsOfPattern = 3
    private static let featuresOfDocument = 1_000

    @Test("JavaScript's RegExp", .enabled(if: PatternOracle.node.isThere, "node is not installed"))
    func node() throws {
        let dialect = PatternMaker.Dialect(
            characters: ["a", "b", "B", "_", "1", "é", "É", "-", "😀", ".", "σ"],
            others: [" ", "c", "\n", "\r", "\u{2028}", "\u{A0}", "\u{FEFF}", "ς", "Σ"])
        try Self.compare(.node, "JavaScript's `RegExp`, node", file: "regex-node", seed: 1, dialect)
    }

    @Test("Python's re", .enabled(if: PatternOracle.python.isThere, "python3 is not installed"))
    func python() throws {
        let dialect = PatternMaker.Dialect(
            characters: ["a", "b", "B", "_", "1", "é", "-", "😀", "."], others: [" ", "c", "\t"])
        try Self.compare(.python, "Python's `re`", file: "regex-python", seed: 2, dialect)
    }

    private static func compare(
        _ oracle: PatternOracle, _ name: String, file: String, seed: UInt64, _ dialect: PatternMaker.Dialect
    ) throws {
        var judgement = Judgement("Regular expressions, random patterns and texts: \(name)", file: file, bar: 1)
        var maker = PatternMaker(seed: seed, dialect)
        let cases = (0..<patterns).map { index in
            PatternOracle.Case(
                pattern: maker.pattern(), ignoresCase: index.isMultiple(of: 2),
                texts: (0..<textsOfPattern).map { _ in maker.text() })
        }
        let answers = try oracle.answers(cases)
        try #require(answers.count == cases.count)
        var found = 0
        for start in stride(from: 0, to: cases.count, by: featuresOfDocument) {
            let batch = cases[start..<min(start + featuresOfDocument, cases.count)]
            let features = try Features(
                JSONObject(batch.indices.map { ("\($0)", feature(thatFinds: cases[$0])) }))
            for index in batch.indices {
                for (text, answer) in zip(cases[index].texts, answers[index]) {
                    if answer { found += 1 }
                    let isFound = features.isEnabled(
                        "\(index)", for: FeatureContext(attributes: ["text": .string(text)]))
                    if isFound == answer {
                        judgement.hold(1)
                    } else {
                        judgement.note(
                            "\(cases[index].pattern) in \(text.debugDescription)", holds: false, "\(isFound)")
                    }
                }
            }
        }
        // Neither all nor none is found.
        #expect((patterns / 2...patterns * textsOfPattern * 98 / 100).contains(found))
        try judgement.finish()
    }

    /// A feature that is enabled where a text has the pattern.
    private static func feature(thatFinds pattern: PatternOracle.Case) -> JSONValue {
        let condition: JSONObject = [pattern.ignoresCase ? "$regexi" : "$regex": .string(pattern.pattern)]
        return ["rules": [["id": "pattern", "condition": ["text": .object(condition)], "enabled": true]]]
    }
}
