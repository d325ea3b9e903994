import Testing
import TrackerConfig

/// The bounds of patterns and of searches.
@Suite("Bounds of regular expressions")
struct RegularExpressionBoundsTests {
    private func reason(_ pattern: String) -> String? {
        do throws(RegularExpressionError) {
            _ = try RegularExpression(pattern)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test("a pattern has at most 4,096 bytes")
    func length() {
        // A class of any length is one instruction.
        #expect(reason("[\(String(repeating: "a", count: 4094))]") == nil)
        #expect(reason("[\(String(repeating: "a", count: 4095))]") == "the pattern is longer than 4096 bytes")
    }

    @Test(
        "a pattern has at most 2,000 instructions, however it is written",
        arguments: [
            "a{1999}", "^a{1998}", "(a{100}){100}", "((((a{50}){50}){50}){50}){50}", "(?:a?){2000}",
            "a{99999999999999999999}",
            "((((){1000}){1000}){1000}){1000}", "(?:(?:(?:){9999}){9999}){9999}", "(a|b|c|d){700}",
        ])
    func size(pattern: String) {
        #expect(reason(pattern) == "the pattern needs more than 2000 instructions")
    }

    @Test("a pattern of 2,000 instructions is accepted")
    func largestSize() throws {
        let expression = try RegularExpression("^a{1997}")
        #expect(expression.search(String(repeating: "a", count: 1997)) == .found)
        #expect(expression.search(String(repeating: "a", count: 1996)) == .notFound)
    }

    @Test("groups are nested at most 64 deep")
    func depth() {
        #expect(reason(String(repeating: "(", count: 64) + String(repeating: ")", count: 64)) == nil)
        #expect(reason(String(repeating: "(", count: 2000)) == "groups are nested deeper than 64")
    }

    @Test(
        "patterns that make other engines backtrack end within the steps",
        arguments: [
            "(a*)*b", "(a+)+b", "(a|a)*b", "(a|aa)+b", "a*a*a*a*a*a*b", "(.*)*b", "^(([a-z])+.)+[A-Z]([a-z])+$",
        ])
    func hostilePatterns(pattern: String) throws {
        let expression = try RegularExpression(pattern)
        let text = String(repeating: "a", count: 100_000)
        #expect(expression.search(text, maximumSteps: 10_000_000) == .notFound)
        #expect([.notFound, .tooManySteps].contains(expression.search(text)))
        // A few steps for each character, whatever the length.
        #expect(expression.search(String(text.prefix(1000)), maximumSteps: 100_000) == .notFound)
    }

    @Test("a search ends after its steps")
    func steps() throws {
        let expression = try RegularExpression("(a|a|a|a)*b")
        let text = String(repeating: "a", count: 1000)
        #expect(expression.search(text + "b", maximumSteps: 100_000) == .found)
        #expect(expression.search(text + "b", maximumSteps: 1000) == .tooManySteps)
    }

    @Test("characters at which no match begins take no steps")
    func skipping() throws {
        let expression = try RegularExpression("@example\\.com$")
        let text = String(repeating: "é1", count: 100_000)
        #expect(expression.search(text, maximumSteps: 0) == .notFound)
        #expect(expression.search(text + "@example.com", maximumSteps: 100) == .found)
        #expect(try RegularExpression("^a").search(text, maximumSteps: 0) == .notFound)
    }
}
