/// Random numbers that a seed repeats, by SplitMix64 (https://prng.di.unimi.it/splitmix64.c).
package struct SeededRandom: Sendable {
    private var state: UInt64

    package init(seed: Int) {
        state = UInt64(truncatingIfNeeded: seed)
    }

    /// A number in 0 ..< 1.
    package mutating func next() -> Double { Double(nextWord() >> 11) * 0x1p-53 }

    /// A word.
    package mutating func nextWord() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
