import TestSupport
import Testing
import TrackerTesting

@testable import TrackerCore

@Suite("RandomPool", .endsWhenItHangs)
struct RandomPoolTests {
    @Test("no word comes twice, each bit is set half of the time, and equal seeds give equal words")
    func drawsWords() {
        var pool = RandomPool(SeededRandom(seed: 5))
        var other = RandomPool(SeededRandom(seed: 5))
        let words = (0..<10_000).map { _ in pool.next() }
        #expect(Set(words).count == words.count)
        #expect(words == words.map { _ in other.next() })
        for bit in 0..<64 {
            let count = words.count { $0 >> UInt64(bit) & 1 == 1 }
            // Five standard deviations.
            #expect(abs(count - 5_000) < 250, "bit \(bit)")
        }
        let fractions = (0..<1000).map { _ in pool.nextFraction() }
        #expect(fractions.allSatisfy { 0 <= $0 && $0 < 1 })
    }
}
