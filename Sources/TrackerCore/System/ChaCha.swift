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
        // "expand 32-byte k", the seed and the position, four words in a row.
        let start = Rows(
            SIMD4(0x6170_7865, 0x3320_646E, 0x7962_2D32, 0x6B20_6574), SIMD4(seed[0], seed[1], seed[2], seed[3]),
            SIMD4(seed[4], seed[5], seed[6], seed[7]), SIMD4(position[0], position[1], position[2], position[3]))
        var rows = start
        for _ in 0..<rounds / 2 {
            rows.mix()
            // The diagonals become columns, and then come back.
            rows.turn(by: 1)
            rows.mix()
            rows.turn(by: 3)
        }
        var block = Block(repeating: 0)
        for column in 0..<4 {
            block[column] = rows.a[column] &+ start.a[column]
            block[4 + column] = rows.b[column] &+ start.b[column]
            block[8 + column] = rows.c[column] &+ start.c[column]
            block[12 + column] = rows.d[column] &+ start.d[column]
        }
        return block
    }

    /// The words in four rows, whose columns are mixed together.
    private struct Rows {
        var a, b, c, d: SIMD4<UInt32>

        init(_ a: SIMD4<UInt32>, _ b: SIMD4<UInt32>, _ c: SIMD4<UInt32>, _ d: SIMD4<UInt32>) {
            (self.a, self.b, self.c, self.d) = (a, b, c, d)
        }

        @inline(__always)
        mutating func mix() {
            a &+= b
            d = Self.rotated(d ^ a, by: 16)
            c &+= d
            b = Self.rotated(b ^ c, by: 12)
            a &+= b
            d = Self.rotated(d ^ a, by: 8)
            c &+= d
            b = Self.rotated(b ^ c, by: 7)
        }

        /// Moves the words of each row below the first to the left, by one more than those of the row above.
        @inline(__always)
        mutating func turn(by count: Int) {
            b = Self.turned(b, by: count)
            c = Self.turned(c, by: 2)
            d = Self.turned(d, by: 4 - count)
        }

        @inline(__always)
        private static func turned(_ row: SIMD4<UInt32>, by count: Int) -> SIMD4<UInt32> {
            SIMD4(row[count & 3], row[(count + 1) & 3], row[(count + 2) & 3], row[(count + 3) & 3])
        }

        /// Each word rotated to the left, two at a time: shifts of four words are done one by one.
        @inline(__always)
        private static func rotated(_ row: SIMD4<UInt32>, by count: UInt64) -> SIMD4<UInt32> {
            let pairs = unsafeBitCast(row, to: SIMD2<UInt64>.self)
            let both = SIMD2<UInt64>(repeating: 0x1_0000_0001)
            let low = both &* SIMD2(repeating: (1 &<< count) &- 1)
            let turned = pairs &<< SIMD2(repeating: count) & ~low | pairs &>> SIMD2(repeating: 32 &- count) & low
            return unsafeBitCast(turned, to: SIMD4<UInt32>.self)
        }
    }
}
