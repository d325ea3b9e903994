/// An error in JSON text.
package struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of error.
    package enum Code: Sendable, Hashable {
        case invalidUTF8
        case syntax
        case duplicateKey
        case tooDeep
        case numberOutOfRange
    }

    package let code: Code

    /// The reason, without the place.
    package let reason: String

    /// The place, in bytes from the start of the text.
    package let offset: Int

    /// The path of keys to the faulty value, such as `features.a.b[2]`; empty for the whole.
    package private(set) var place = ""

    package var description: String { (place.isEmpty ? "" : "\(place): ") + "\(reason) (byte \(offset))" }

    package init(code: Code, reason: String, offset: Int, place: String = "") {
        (self.code, self.reason, self.offset, self.place) = (code, reason, offset, place)
    }

    /// The same error, with a member's name in front of its place.
    func within(member name: String) -> JSONError {
        let separator = place.isEmpty || place.hasPrefix("[") ? "" : "."
        return JSONError(code: code, reason: reason, offset: offset, place: name + separator + place)
    }

    /// The same error, with an element's index in front of its place.
    func within(element index: Int) -> JSONError { within(member: "[\(index)]") }
}
