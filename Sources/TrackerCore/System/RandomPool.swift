/// Random words, generated from seeds of a source.
///
/// A system call for each id would take as long as the rest of an event.
struct RandomPool: Sendable {
    // For 16 ids, so that two copies of a virtual machine soon have ids of their own.
    private static let blocksPerSeed: UInt32 = 4

    // What each id needs comes first.
    private var used = UInt32(ChaCha.Block.count)
    private var words = ChaCha.Block(repeating: 0)
    private var blocks = blocksPerSeed
    private var seed = ChaCha.Seed(repeating: 0)
    private let source: any RandomSource

    init(_ source: any RandomSource) {
        self.source = source
    }

    mutating func next() -> UInt64 {
        if used == UInt32(ChaCha.Block.count) { refill() }
        defer { used += 2 }
        return UInt64(words[Int(used)]) | UInt64(words[Int(used) + 1]) << 32
    }

    /// A number in 0 ..< 1.
    mutating func nextFraction() -> Double {
        Double(next() >> 11) * 0x1p-53
    }

    private mutating func refill() {
        if blocks == Self.blocksPerSeed {
            let source = self.source
            withUnsafeMutableBytes(of: &seed) { source.fill($0) }
            blocks = 0
        }
        words = ChaCha.block(seed: seed, position: [blocks, 0, 0, 0])
        blocks += 1
        used = 0
    }
}
