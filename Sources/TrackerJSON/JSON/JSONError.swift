/// Why a text is not the JSON it should be.
package struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of fault.
    package enum Code: Sendable, Hashable {
        case invalidUTF8
        case syntax
        case duplicateKey
        case tooDeep
        case numberOutOfRange
    }

    package let code: Code

    /// What is wrong, without the place.
    package let reason: String

    /// Where, in bytes from the start of the text.
    package let offset: Int

    package var description: String { "\(reason) (byte \(offset))" }
}
