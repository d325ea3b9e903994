import Testing

@testable import TrackerConfig
@testable import TrackerFeatures

/// What becomes of the cached documents when one more is stored.
@Suite("The succession of cached documents")
struct CacheSuccessionTests {
    private static func entry(_ version: Int, _ text: String, tag: String = "t", at time: Int64 = 1) -> CacheEntry {
        CacheEntry(
            url: "u", version: version, document: Array(text.utf8), validators: DocumentValidators(entityTag: tag),
            fetchTime: time)
    }

    private let current = entry(2, "two")

    private func succession(_ new: CacheEntry, isGood: Bool = true) -> CacheSuccession? {
        CacheSuccession(of: new, after: current) { _ in isGood }
    }

    @Test("the first one is stored")
    func first() {
        let first = CacheSuccession(of: current, after: nil) { _ in
            Issue.record("nothing can be judged")
            return true
        }
        #expect(first == .replaces)
    }

    @Test("a higher version rotates, but never a bad one into the place of the one before", arguments: [true, false])
    func higher(isGood: Bool) {
        #expect(succession(Self.entry(3, "three"), isGood: isGood) == (isGood ? .rotates : .replaces))
    }

    @Test("a lower version is not stored, whatever the current one is worth", arguments: [true, false])
    func lower(isGood: Bool) {
        #expect(succession(Self.entry(1, "one"), isGood: isGood) == nil)
        #expect(succession(Self.entry(1, "two"), isGood: isGood) == nil)
    }

    @Test("the same document twice is not stored, at whatever time it came")
    func same() {
        #expect(succession(Self.entry(2, "two", at: 9)) == nil)
    }

    @Test("the same document with other validators is stored and leaves the one before where it is")
    func otherValidators() {
        #expect(succession(Self.entry(2, "two", tag: "other")) == .replaces)
        #expect(succession(Self.entry(2, "two", tag: "other"), isGood: false) == .replaces)
    }

    @Test("other bytes of the same version rotate, and those of another version under the same bytes")
    func otherBytes() {
        #expect(succession(Self.entry(2, "zwei")) == .rotates)
        #expect(succession(Self.entry(3, "two")) == .rotates)
        #expect(succession(Self.entry(2, "zwei"), isGood: false) == .replaces)
    }
}
