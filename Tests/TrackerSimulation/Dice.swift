import TrackerCore

/// The random numbers of a step, the same for the same seed.
package final class Dice: RandomSource {
    private let state: Locked<UInt64>

    package init(seed: UInt64) {
        state = Locked(seed)
    }

    /// Begins the numbers of a step.
    func reseed(_ seed: UInt64) {
        state.withLock { $0 = seed }
    }

    package func next() -> UInt64 {
        state.withLock { Self.next(&$0) }
    }

    package func fill(_ bytes: UnsafeMutableRawBufferPointer) {
        for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: next() >> 32) }
    }

    /// A number in 0 ..< bound.
    func below(_ bound: Int) -> Int { Int(next() % UInt64(max(bound, 1))) }

    /// A number within a range.
    func within(_ range: ClosedRange<Int>) -> Int { range.lowerBound + below(range.count) }

    func chance(percent: Int) -> Bool { below(100) < percent }

    /// One of the elements.
    func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

    /// SplitMix64 (https://prng.di.unimi.it/splitmix64.c, public domain).
    package static func next(_ state: inout UInt64) -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
