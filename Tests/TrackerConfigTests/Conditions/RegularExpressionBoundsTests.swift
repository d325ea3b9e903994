import TestSupport
import Testing
import TrackerFeatures

/// The bounds of patterns and of searches.
@Suite("Bounds of regular expressions", .endsWhenItHangs)
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
            "a{2000}", "(a{100}){100}", "(?:a?){2000}", "a{99999999999999999999}", "((((){1000}){1000}){1000}){1000}",
            "(a|b|c|d){700}",
        ])
    func size(pattern: String) {
        #expect(reason(pattern) == "the pattern needs more than 2000 instructions")
    }

    @Test("a pattern of 2,000 instructions is accepted")
    func largestSize() throws {
        let expression = try RegularExpression("^a{1998}")
        #expect(expression.search(String(repeating: "a", count: 1998)) == .found)
        #expect(expression.search(String(repeating: "a", count: 1997)) == .notFound)
    }

    @Test("groups are nested at most 64 deep")
    func depth() {
        #expect(reason(String(repeating: "(", count: 64) + String(repeating: ")", count: 64)) == nil)
        #expect(reason(String(repeating: "(", count: 2000)) == "groups are nested deeper than 64")
    }

    @Test(
        "patterns that make other engines backtrack take a few steps for each character",
        arguments: [
            "(a*)*b", "(a+)+b", "(a|a)*b", "(a|aa)+b", "a*a*a*a*a*a*b", "(.*)*b", "^(([a-z])+.)+[A-Z]([a-z])+$",
        ])
    func hostilePatterns(pattern: String) throws {
        let text = String(repeating: "a", count: 1000)
        #expect(try RegularExpression(pattern).search(text, maximumSteps: 100_000) == .notFound)
    }

    @Test("a search ends after its steps")
    func steps() throws {
        let expression = try RegularExpression("(a|a|a|a)*b")
        let text = String(repeating: "a", count: 1000)
        #expect(expression.search(text + "b", maximumSteps: 100_000) == .found)
        #expect(expression.search(text + "b", maximumSteps: 1000) == .tooManySteps)
    }
}
