import Foundation
import Testing

@testable import TrackerConfig
@testable import TrackerFeatures

/// What becomes of the cached documents when one more is stored.
@Suite("The succession of cached documents")
struct CacheSuccessionTests {
    private static func entry(
        _ version: Int, _ text: String, tag: String = "t", at time: Int64 = 1, epoch: Int = 0,
        headers: [HTTPHeader] = []
    ) -> CacheEntry {
        CacheEntry(
            url: "u", version: version, document: Array(text.utf8), validators: DocumentValidators(entityTag: tag),
            fetchTime: Date(milliseconds: time), headers: headers, versionEpoch: epoch)
    }

    private let previous = entry(1, "one")
    private let current = entry(2, "two")

    private func succession(_ new: CacheEntry, isGood: Bool = true) -> [CacheEntry] {
        CacheSuccession.entries(storing: new, after: [current, previous]) { entry in
            #expect(entry == current)
            return isGood
        }
    }

    @Test("the first one is stored")
    func first() {
        let first = CacheSuccession.entries(storing: current, after: []) { _ in
            Issue.record("nothing can be judged")
            return true
        }
        #expect(first == [current])
    }

    @Test("a higher version comes before the current one, which is kept only if it is good", arguments: [true, false])
    func higher(isGood: Bool) {
        let three = Self.entry(3, "three")
        #expect(succession(three, isGood: isGood) == [three, isGood ? current : previous])
    }

    @Test("a lower version than the current one is kept behind it")
    func lower() {
        let three = Self.entry(3, "three")
        let two = Self.entry(2, "zwei")
        #expect(CacheSuccession.entries(storing: two, after: [three]) == [three, two])
        #expect(CacheSuccession.entries(storing: two, after: [three, previous]) == [three, two])
        #expect(CacheSuccession.entries(storing: two, after: [three, current]) == [three, two])
        #expect(CacheSuccession.entries(storing: previous, after: [current, previous]) == [current, previous])
        let renewed = Self.entry(1, "one", tag: "other")
        #expect(CacheSuccession.entries(storing: renewed, after: [current, previous]) == [current, renewed])
    }

    @Test("a version below both is kept only if the second one is not good", arguments: [true, false])
    func lowest(isSecondGood: Bool) {
        let (four, three) = (Self.entry(4, "four"), Self.entry(3, "three"))
        let entries = CacheSuccession.entries(storing: current, after: [four, three]) { entry in
            #expect(entry == three)
            return isSecondGood
        }
        #expect(entries == [four, isSecondGood ? three : current])
    }

    @Test("a higher epoch counts before a higher version")
    func epochs() {
        let next = Self.entry(1, "next", epoch: 1)
        #expect(succession(next) == [next, current])
        let old = Self.entry(9, "old")
        #expect(CacheSuccession.entries(storing: old, after: [next]) == [next, old])
    }

    @Test("the same document twice is not stored, at whatever time it came")
    func same() {
        #expect(succession(Self.entry(2, "two", at: 9)) == [current, previous])
    }

    @Test("the same document with other validators is stored and leaves the one before where it is")
    func otherValidators() {
        let other = Self.entry(2, "two", tag: "other")
        #expect(succession(other) == [other, previous])
        #expect(succession(other, isGood: false) == [other, previous])
    }

    @Test("the same document with headers takes the place of the one without, and not the reverse")
    func headers() {
        let signed = Self.entry(2, "two", headers: [HTTPHeader(name: "X-Signature", value: "s")])
        #expect(succession(signed) == [signed, previous])
        #expect(CacheSuccession.entries(storing: current, after: [signed, previous]) == [signed, previous])
    }

    @Test("other bytes of the same version are stored before the current one, as is another version of the same bytes")
    func otherBytes() {
        let (zwei, three) = (Self.entry(2, "zwei"), Self.entry(3, "two"))
        #expect(succession(zwei) == [zwei, current])
        #expect(succession(three) == [three, current])
        #expect(succession(zwei, isGood: false) == [zwei, previous])
    }

    @Test("two entries are kept of however many a cache has")
    func most() {
        let stored = (1...5).reversed().map { Self.entry($0, "\($0)") }
        let six = Self.entry(6, "6")
        #expect(CacheSuccession.entries(storing: six, after: stored) == [six, stored[0]])
        #expect(CacheSuccession.entries(storing: six, after: stored) { _ in false } == [six, stored[1]])
    }
}
