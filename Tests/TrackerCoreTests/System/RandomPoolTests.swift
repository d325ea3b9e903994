import TestSupport
import Testing
import TrackerTesting

@testable import TrackerCore

@Suite("RandomPool", .endsWhenItHangs)
struct RandomPoolTests {
    @Test("a block is that of RFC 8439")
    func blocks() {
        // Section 2.3.2.
        let seed: ChaCha.Seed = [
            0x0302_0100, 0x0706_0504, 0x0B0A_0908, 0x0F0E_0D0C, 0x1312_1110, 0x1716_1514, 0x1B1A_1918, 0x1F1E_1D1C,
        ]
        #expect(
            words(ChaCha.block(seed: seed, position: [1, 0x0900_0000, 0x4A00_0000, 0], rounds: 20)) == [
                0xE4E7_F110, 0x1559_3BD1, 0x1FDD_0F50, 0xC471_20A3, 0xC7F4_D1C7, 0x0368_C033, 0x9AAA_2204, 0x4E6C_D4C3,
                0x4664_82D2, 0x09AA_9F07, 0x05D7_C214, 0xA202_8BD9, 0xD19C_12B5, 0xB94E_16DE, 0xE883_D0CB, 0x4E3C_50A2,
            ])
        // Appendix A.1, test vector 1.
        #expect(
            words(ChaCha.block(seed: ChaCha.Seed(repeating: 0), position: [0, 0, 0, 0], rounds: 20)).prefix(4) == [
                0xADE0_B876, 0x903D_F1A0, 0xE56A_5D40, 0x28BD_8653,
            ])
    }

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

    private func words(_ block: ChaCha.Block) -> [UInt32] { block.indices.map { block[$0] } }
}
