import Foundation
import Testing
import TrackerCommandLine
import TrackerCore

@testable import demo_tracker

@Suite("The timeline of the demonstration")
struct TimelineTests {
    private let printed = Locked<[String]>([])

    private func timeline(width: Int = 40, isVerbose: Bool = false) -> Timeline {
        Timeline(TextStyle(isColoured: false), width: width, isVerbose: isVerbose) { [printed] text in
            printed.withLock { $0 += text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
        }
    }

    private var lines: [String] { printed.withLock { $0 } }

    @Test("has milliseconds since the start at first, then the time of the clock")
    func stamps() throws {
        let date = Date(timeIntervalSince1970: 3_723)
        let zone = try #require(TimeZone(secondsFromGMT: 0))
        #expect(Timeline.stamp(.milliseconds(1234), at: date, in: zone) == " 1234.0 ms")
        #expect(Timeline.stamp(.milliseconds(9999), at: date, in: zone) == " 9999.0 ms")
        #expect(Timeline.stamp(.seconds(10), at: date, in: zone) == "  01:02:03")
    }

    @Test("breaks chapters, rows and results into lines that fit")
    func breaks() {
        let timeline = timeline()
        timeline.chapter("1. A title", "Words that are longer than one line of the terminal")
        timeline.show(rows: [["0 ms", "one"], ["102 ms", "a last column that is longer than its line"]])
        timeline.show(["a long fact whose rest is further to the right"])
        timeline.result("three of three words are where they belong")
        #expect(
            lines == [
                "", "1. A title", "   Words that are longer than one line", "   of the terminal",
                "", "     0 ms    one", "     102 ms  a last column that is", "             longer than its line",
                "", "     a long fact whose rest is further", "       to the right",
                "", "   Result: three of three words are", "           where they belong",
            ])
    }

    @Test("breaks words that are longer than a line, keeps columns, and fills lines to the last column")
    func words() {
        #expect("abcdefgh".broken(into: 3) == ["abc", "def", "gh"])
        #expect("a  b".broken(into: 4) == ["a  b"])
        #expect("abc de".broken(into: 3) == ["abc", "de"])
        #expect("  abc de".broken(into: 5) == ["  abc", "de"])
        #expect("".broken(into: 3) == [""])
    }

    @Test("prints details only if they are wanted, with their further lines below the text")
    func details() {
        timeline().detail(.document, "version 1")
        #expect(lines.isEmpty)
        timeline(isVerbose: true).detail(.document, "version 1", ["one more line that is long"])
        #expect(
            lines.map { $0.dropFirst(12) } == [
                "document   version 1", "           one more line", "             that is long",
            ])
    }

    @Test("puts as many parts of a summary on a line as it has room for")
    func summary() {
        timeline().summary(["9 documents: 7 applied", "1 SIGKILL", "38 events, 1 dropped"])
        #expect(lines == ["", "9 documents: 7 applied · 1 SIGKILL", "38 events, 1 dropped"])
    }
}
