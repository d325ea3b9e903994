import Glibc

/// A source of randomness, for event ids, session ids and the jitter of back-offs.
public protocol RandomSource: Sendable {
    /// Fills `bytes` with random bytes.
    func fill(_ bytes: UnsafeMutableRawBufferPointer)
}

/// The kernel's random generator.
public struct SystemRandom: RandomSource {
    /// Creates a source that reads the kernel's generator.
    public init() {}

    /// Fills `bytes` with `getentropy`, 256 bytes per call.
    public func fill(_ bytes: UnsafeMutableRawBufferPointer) {
        var offset = 0
        while offset < bytes.count {
            let count = min(256, bytes.count - offset)
            if getentropy(bytes.baseAddress! + offset, count) != 0 {
                // A sandbox may forbid the call; Swift's generator then knows other ways.
                for place in offset..<offset + count { bytes[place] = UInt8.random(in: .min ... .max) }
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

/// A stock of random words, filled some at a time: a system call for each id would cost more than the event, and a large
/// stock would make one event in many wait for all its system calls.
struct RandomPool: Sendable {
    private let source: any RandomSource
    private var words: [UInt64] = Array(repeating: 0, count: 32)
    private var used = 32

    init(_ source: any RandomSource) {
        self.source = source
    }

    mutating func next() -> UInt64 {
        if used == words.count {
            let source = self.source
            words.withUnsafeMutableBytes { source.fill($0) }
            used = 0
        }
        defer { used += 1 }
        return words[used]
    }

    /// A number in 0 ..< 1.
    mutating func nextFraction() -> Double {
        Double(next() >> 11) * 0x1p-53
    }
}
