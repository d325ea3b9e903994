/// A place in a text. Lines and columns are counted from 1, with one column for each Unicode scalar.
package struct TextPosition: Sendable, Hashable, CustomStringConvertible {
    /// The line, from 1.
    package private(set) var line = 1

    /// The column, from 1.
    package private(set) var column = 1

    /// The position of a byte.
    package init(of offset: Int, in text: [UInt8]) {
        self = moved(over: text.prefix(offset))
    }

    /// The position of the first byte.
    package static let start = TextPosition(of: 0, in: [])

    /// The position after more bytes.
    package func moved(over bytes: ArraySlice<UInt8>) -> TextPosition {
        var position = self
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                position.line += 1
                position.column = 1
            } else if byte & 0xC0 != 0x80 {
                position.column += 1
            }
        }
        return position
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
