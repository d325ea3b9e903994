/// A place in a text as a person counts: lines and columns from 1, a column for each Unicode scalar.
public struct TextPosition: Sendable, Hashable, CustomStringConvertible {
    /// The line, from 1.
    public let line: Int

    /// The column, from 1.
    public let column: Int

    /// The position of a byte.
    package init(of offset: Int, in text: [UInt8]) {
        var line = 1
        var column = 1
        for byte in text.prefix(offset) {
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        self.line = line
        self.column = column
    }

    /// The place as an error names it.
    public var description: String { "line \(line), column \(column)" }
}
