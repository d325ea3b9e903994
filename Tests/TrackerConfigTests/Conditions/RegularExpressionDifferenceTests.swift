import Foundation
import TestSupport
import Testing
import TrackerConfig

/// That generated patterns are found as Foundation's engine finds them.
@Suite("Regular expressions beside Foundation's")
struct RegularExpressionDifferenceTests {
    /// A generator of patterns that mean the same to both engines, and of texts.
    private struct Generator {
        let random: SeededRandom

        private func below(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }

        private func choose(_ texts: [String]) -> String { texts[below(texts.count)] }

        func pattern(depth: Int) -> String {
            (0..<1 + below(2)).map { _ in (0..<below(4)).map { _ in term(depth: depth) }.joined() }.joined(
                separator: "|")
        }

        private func term(depth: Int) -> String {
            if below(6) == 0 { return choose(["^", "$", "\\b", "\\B"]) }
            if depth > 0, below(3) == 0 {
                let group = choose(["(", "(?:"]) + pattern(depth: depth - 1) + ")"
                // Foundation's engine backtracks: loops in loops in loops would take it minutes.
                return group + (depth > 1 ? choose(["", "?", "??"]) : choose(Self.quantifiers))
            }
            return choose(Self.atoms) + choose(Self.quantifiers)
        }

        private static let atoms = [
            "a", "b", "B", "_", "1", "é", "-", "😀", ".", "\\d", "\\D", "\\w", "\\W", "\\s", "\\S", "[ab]", "[^a]",
            "[a-c1]",
            "[^\\d_]", "[\\w-]", "\\x61", "\\u00e9", "\\.",
        ]
        private static let quantifiers = [
            "", "", "", "*", "+", "?", "*?", "+?", "??", "{2}", "{1,}", "{0,2}", "{1,2}?",
        ]

        func text() -> String {
            (0..<below(8)).map { _ in choose(["a", "b", "c", "B", "_", "1", "-", " ", ".", "😀"]) }.joined()
        }
    }

    @Test("10,000 searches in each mode", arguments: [false, true])
    func searches(ignoresCase: Bool) throws {
        let generator = Generator(random: SeededRandom(seed: ignoresCase ? 2 : 1))
        var differences: [String] = []
        for _ in 0..<1000 {
            let pattern = generator.pattern(depth: 3)
            let mine: RegularExpression
            do throws(RegularExpressionError) {
                mine = try RegularExpression(pattern, ignoresCase: ignoresCase)
            } catch {
                Issue.record("\(pattern): \(error)")
                continue
            }
            // Foundation refuses an empty pattern.
            let other = try NSRegularExpression(pattern: "(?:\(pattern))", options: ignoresCase ? .caseInsensitive : [])
            for _ in 0..<10 {
                let text = generator.text()
                let range = NSRange(location: 0, length: text.utf16.count)
                let isFound = other.firstMatch(in: text, range: range) != nil
                if mine.search(text) != (isFound ? .found : .notFound) { differences.append("\(pattern) in '\(text)'") }
            }
        }
        #expect(differences.isEmpty, "\(differences.prefix(5))")
    }
}
