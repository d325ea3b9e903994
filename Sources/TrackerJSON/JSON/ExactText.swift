import TrackerPlatform

/// A text that is compared and hashed by its bytes.
///
/// Swift's `String` equates texts that differ in Unicode normalization alone. JSON, hashes, databases and other
/// processes do not, so keys and ids of documents are compared as they are written.
@usableFromInline
package struct ExactText: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The text.
    @usableFromInline
    package let text: String

    /// Wraps a text.
    @inlinable
    package init(_ text: String) { self.text = text }

    /// The text.
    @usableFromInline
    package var description: String { text }

    @inlinable
    package static func == (left: ExactText, right: ExactText) -> Bool { left.text.isExactly(right.text) }

    @usableFromInline
    package static func < (left: ExactText, right: ExactText) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    /// Hashes the text as `String` does, which is fastest; texts with the same bytes have the same hash.
    @inlinable
    package func hash(into hasher: inout Hasher) { text.hash(into: &hasher) }
}

extension String {
    /// Whether both texts have the same bytes.
    @inlinable
    package func isExactly(_ other: String) -> Bool {
        // Strings of up to 15 bytes are stored inline, so comparing two words is usually enough.
        let (left, right) = (unsafeBitCast(self, to: Words.self), unsafeBitCast(other, to: Words.self))
        if left.0 == right.0 && left.1 == right.1 { return true }
        // An inline string has only one representation, so different words mean different texts.
        if left.1 & right.1 & Self.standsInItself != 0 { return false }
        return utf8.count == other.utf8.count && hasBytes(of: other)
    }

    /// Whether a text of the same length has the same bytes.
    @usableFromInline
    package func hasBytes(of other: String) -> Bool {
        withBytes { bytes in
            other.withBytes { memcmp(bytes.baseAddress!, $0.baseAddress!, bytes.count) == 0 }
        }
    }

    /// A string's representation.
    @usableFromInline typealias Words = (UInt, UInt)

    /// The bit of the second word that marks an inline string; fixed by Swift's binary interface.
    @usableFromInline static var standsInItself: UInt { 1 << 61 }
}

extension Dictionary where Key == ExactText {
    /// The value of a key; setting nil removes it.
    @inlinable
    package subscript(exactly text: String) -> Value? {
        get { self[ExactText(text)] }
        set { self[ExactText(text)] = newValue }
    }
}

extension Sequence<String> {
    /// The texts without repetitions, sorted by their bytes.
    package var sortedUnique: [String] { Set(map(ExactText.init)).sorted().map(\.text) }
}
