/// Random words, which a source fills 32 at a time.
///
/// A system call for each id would take as long as the rest of an event.
struct RandomPool: Sendable {
    // Only enough for 16 ids, so that two copies of a virtual machine soon have different ids.
    private var words = InlineArray<32, UInt64>(repeating: 0)
    private var used = 32
    private let source: any RandomSource

    init(_ source: any RandomSource) {
        self.source = source
    }

    mutating func next() -> UInt64 {
        if used == words.count {
            let source = self.source
            withUnsafeMutableBytes(of: &words) { source.fill($0) }
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
