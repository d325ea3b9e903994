/// A place in a text. Lines and columns are counted from 1, with one column for each Unicode scalar.
package struct TextPosition: Sendable, Hashable, CustomStringConvertible {
    /// The line, from 1.
    package let line: Int

    /// The column, from 1.
    package let column: Int

    /// The position of a byte.
    package init(of offset: Int, in text: [UInt8]) {
        self = Self.start.moved(over: text.prefix(offset))
    }

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// The position of the first byte.
    package static let start = TextPosition(line: 1, column: 1)

    /// The position after more bytes.
    package func moved(over bytes: ArraySlice<UInt8>) -> TextPosition {
        var line = line
        var column = column
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        return TextPosition(line: line, column: column)
    }

    /// Returns the positions of many bytes in one pass over the text.
    /// - Parameters:
    ///   - offsets: The offsets of the bytes, in any order.
    ///   - text: UTF-8.
    /// - Returns: The positions by offset.
    package static func positions(of offsets: some Sequence<Int>, in text: [UInt8]) -> [Int: TextPosition] {
        var positions: [Int: TextPosition] = [:]
        var start = 0
        var last = TextPosition(of: 0, in: text)
        for offset in Set(offsets).sorted() {
            last = last.moved(over: text[min(start, text.count)..<min(offset, text.count)])
            positions[offset] = last
            start = offset
        }
        return positions
    }

    /// The position in words, as `line 3, column 14`.
    package var description: String { "line \(line), column \(column)" }

    /// The position in short, as `3:14`.
    package var short: String { "\(line):\(column)" }
}
