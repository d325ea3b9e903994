/// An error in a pattern.
package struct RegularExpressionError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason, such as "look-ahead '(?=' is not supported".
    package let reason: String

    /// The place in the pattern, in Unicode scalars from 1; nil for the whole pattern.
    package let position: Int?

    init(_ reason: String, at offset: Int? = nil) {
        self.reason = reason
        position = offset.map { $0 + 1 }
    }

    package var description: String { position.map { "\(reason) (character \($0))" } ?? reason }
}
