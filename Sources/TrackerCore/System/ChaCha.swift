/// The block function of ChaCha (RFC 8439, section 2.3), which makes any quantity of random bits from a seed.
enum ChaCha {
    typealias Block = InlineArray<16, UInt32>
    typealias Seed = InlineArray<8, UInt32>
    typealias Position = InlineArray<4, UInt32>

    /// Returns a block.
    /// - Parameters:
    ///   - seed: The key.
    ///   - position: The block's counter and nonce; each position has a block of its own.
    ///   - rounds: The number of rounds, an even one. The RFC has twenty; no attack on eight is known either.
    /// - Returns: The block.
    static func block(seed: Seed, position: Position, rounds: Int = 8) -> Block {
        let start: Block = [
            // "expand 32-byte k"
            0x6170_7865, 0x3320_646E, 0x7962_2D32, 0x6B20_6574,
            seed[0], seed[1], seed[2], seed[3], seed[4], seed[5], seed[6], seed[7],
            position[0], position[1], position[2], position[3],
        ]
        var words = start
        for _ in 0..<rounds / 2 {
            mix(&words, 0, 4, 8, 12)
            mix(&words, 1, 5, 9, 13)
            mix(&words, 2, 6, 10, 14)
            mix(&words, 3, 7, 11, 15)
            mix(&words, 0, 5, 10, 15)
            mix(&words, 1, 6, 11, 12)
            mix(&words, 2, 7, 8, 13)
            mix(&words, 3, 4, 9, 14)
        }
        for index in words.indices { words[index] &+= start[index] }
        return words
    }

    @inline(__always)
    private static func mix(_ words: inout Block, _ a: Int, _ b: Int, _ c: Int, _ d: Int) {
        words[a] &+= words[b]
        words[d] = rotated(words[d] ^ words[a], by: 16)
        words[c] &+= words[d]
        words[b] = rotated(words[b] ^ words[c], by: 12)
        words[a] &+= words[b]
        words[d] = rotated(words[d] ^ words[a], by: 8)
        words[c] &+= words[d]
        words[b] = rotated(words[b] ^ words[c], by: 7)
    }

    @inline(__always)
    private static func rotated(_ word: UInt32, by count: UInt32) -> UInt32 {
        word &<< count | word &>> (32 &- count)
    }
}
