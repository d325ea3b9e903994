import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerFeatures

/// What becomes of the cached documents when one more is stored.
@Suite("The succession of cached documents", .endsWhenItHangs)
struct CacheSuccessionTests {
    private static func entry(
        _ version: Int, _ text: String = "", tag: String = "t", at time: Int64 = 1,
        headers: [HTTPHeader] = []
    ) -> CacheEntry {
        CacheEntry(
            url: "u", version: version, document: Array("\(version)\(text)".utf8),
            validators: DocumentValidators(entityTag: tag), fetchTime: Date(milliseconds: time), headers: headers)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let stored: [CacheEntry]
        let new: CacheEntry
        /// The entries afterwards, if the one that could stay behind is good.
        let entries: [CacheEntry]
        /// The entries afterwards if it is not, as after a rollback.
        let entriesIfBad: [CacheEntry]

        init(
            _ description: String, _ stored: [CacheEntry], _ new: CacheEntry, _ entries: [CacheEntry],
            ifBad: [CacheEntry]? = nil
        ) {
            (testDescription, self.stored, self.new, self.entries) = (description, stored, new, entries)
            entriesIfBad = ifBad ?? entries
        }
    }

    private static let (one, two, three, four) = (entry(1), entry(2), entry(3), entry(4))
    private static let (other, renewed) = (entry(2, "other"), entry(2, tag: "other"))
    private static let signed = entry(2, headers: [HTTPHeader(name: "X-Signature", value: "s")])

    static let cases = [
        Case("the first one", [], two, [two]),
        Case("a higher version", [two, one], three, [three, two], ifBad: [three, one]),
        Case(
            "a higher version over more entries than two", [three, two, one], four, [four, three], ifBad: [four, two]),
        Case("a lower version", [three], two, [three, two]),
        Case("a version between the two", [three, one], two, [three, two]),
        Case("other bytes of the second version", [three, two], other, [three, other]),
        Case("other validators of the second version", [three, two], renewed, [three, renewed]),
        Case("a version below both", [four, three], two, [four, three], ifBad: [four, two]),
        Case("the second one again", [two, one], one, [two, one]),
        Case("the same again, at another time", [two, one], entry(2, at: 9), [two, one]),
        Case("the same with other validators", [two, one], renewed, [renewed, one]),
        Case("the same with headers", [two, one], signed, [signed, one]),
        Case("the same without headers", [signed, one], two, [signed, one]),
        Case("other bytes of the same version", [two, one], other, [other, one]),
    ]

    @Test("two entries stay: the highest version, and a good one behind it", arguments: cases)
    func succession(_ test: Case) {
        for isGood in [true, false] {
            let entries = CacheSuccession.entries(storing: test.new, after: test.stored) { _ in isGood }
            #expect(entries == (isGood ? test.entries : test.entriesIfBad))
        }
    }
}
