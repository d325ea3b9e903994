public import TrackerCore

/// Random bytes that are the same for the same seed.
///
/// ```swift
/// var options = SetupOptions()
/// options.seededRandom = SeededRandom(seed: 7)
/// ```
public final class SeededRandom: RandomSource, RandomNumberGenerator {
    private let state: Locked<UInt64>

    /// Creates a source.
    /// - Parameter seed: The seed. A test that draws it at random should print it.
    public init(seed: UInt64) {
        state = Locked(seed)
    }

    /// Fills bytes with random bytes.
    /// - Parameter bytes: The bytes.
    public func fill(_ bytes: UnsafeMutableRawBufferPointer) {
        state.withLock { state in
            for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: Self.next(&state) >> 32) }
        }
    }

    /// Returns the next random number.
    /// - Returns: The number.
    public func next() -> UInt64 {
        state.withLock { Self.next(&$0) }
    }

    /// SplitMix64 (https://prng.di.unimi.it/splitmix64.c, public domain).
    private static func next(_ state: inout UInt64) -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
