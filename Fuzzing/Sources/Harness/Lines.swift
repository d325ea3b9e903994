/// How long each line of a text is, in Unicode scalars.
public struct Lines {
    private let lengths: [Int]

    /// Counts the lines of a text.
    public init(_ text: [UInt8]) {
        lengths = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            line.count { $0 & 0xC0 != 0x80 }
        }
    }

    /// Whether a place lies within the text or at its end.
    public func contain(line: Int, column: Int) -> Bool {
        lengths.indices.contains(line - 1) && 1...lengths[line - 1] + 1 ~= column
    }
}
