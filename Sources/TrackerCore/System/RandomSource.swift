import TrackerPlatform

/// A source of randomness, for event ids, session ids and the jitter of back-offs.
///
/// Trackers request 256 bytes, which are enough for 16 ids.
package protocol RandomSource: Sendable {
    /// Fills `bytes` with random bytes.
    func fill(_ bytes: UnsafeMutableRawBufferPointer)
}

/// The kernel's random generator.
package struct SystemRandom: RandomSource {
    package init() {}

    /// Fills `bytes` with `getentropy`, 256 bytes per call.
    package func fill(_ bytes: UnsafeMutableRawBufferPointer) {
        var offset = 0
        while offset < bytes.count {
            let count = min(256, bytes.count - offset)
            if getentropy(bytes.baseAddress! + offset, count) != 0 {
                // A sandbox may forbid the call; Swift's generator has fallbacks.
                for index in offset..<offset + count { bytes[index] = UInt8.random(in: .min ... .max) }
            }
            offset += count
        }
    }
}

extension RandomSource {
    /// A random number in 0 ..< 1.
    package func fraction() -> Double {
        var word = UInt64(0)
        withUnsafeMutableBytes(of: &word) { fill($0) }
        return Double(word >> 11) * 0x1p-53
    }
}
