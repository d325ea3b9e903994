import Foundation

/// A text that is compared and hashed by its bytes.
///
/// Swift's `String` equates texts that differ in Unicode normalization alone. JSON, hashes, databases and other processes
/// do not, so keys and ids of documents are compared as they are written.
package struct ExactText: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The text.
    package let text: String

    /// Wraps a text.
    @inline(__always)
    package init(_ text: String) {
        self.text = text
    }

    /// The text.
    package var description: String { text }

    @inline(__always)
    package static func == (left: ExactText, right: ExactText) -> Bool { left.text.isExactly(right.text) }

    package static func < (left: ExactText, right: ExactText) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    @inline(__always)
    package func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}

extension String {
    /// Whether both texts have the same bytes.
    @inline(__always)
    package func isExactly(_ other: String) -> Bool {
        let count = utf8.count
        guard count == other.utf8.count else { return false }
        let isEqual = utf8.withContiguousStorageIfAvailable { left in
            other.utf8.withContiguousStorageIfAvailable { right in
                count == 0 || memcmp(left.baseAddress!, right.baseAddress!, count) == 0
            }
        }
        // A text that came from Objective-C has no bytes in a row.
        return (isEqual ?? nil) ?? utf8.elementsEqual(other.utf8)
    }

    /// Hashes the text's bytes.
    @inline(__always)
    package func hashBytes(into hasher: inout Hasher) {
        let isDone: Void? = utf8.withContiguousStorageIfAvailable { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        if isDone == nil { for byte in utf8 { hasher.combine(byte) } }
        // No UTF-8 has this byte, so that of two texts in a row each end counts.
        hasher.combine(0xFF as UInt8)
    }
}

extension Dictionary where Key == ExactText {
    /// The value of a key; setting nil removes it.
    @inline(__always)
    package subscript(exactly text: String) -> Value? {
        get { self[ExactText(text)] }
        set { self[ExactText(text)] = newValue }
    }
}

extension Sequence<String> {
    /// The texts without repetitions, sorted by their bytes.
    package var sortedUnique: [String] { Set(map(ExactText.init)).sorted().map(\.text) }
}
