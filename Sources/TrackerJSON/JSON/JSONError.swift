/// Why a text is not the JSON it should be.
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

    /// Where, in bytes from the start of the text.
    package let offset: Int

    /// The path of keys to the value in which the fault is, such as `features.a.b[2]`; empty for the whole.
    package private(set) var place = ""

    package var description: String { (place.isEmpty ? "" : "\(place): ") + "\(reason) (byte \(offset))" }

    package init(code: Code, reason: String, offset: Int, place: String = "") {
        (self.code, self.reason, self.offset, self.place) = (code, reason, offset, place)
    }

    /// The error of a value, as an error of the object that has the value under a name.
    func within(member name: String) -> JSONError {
        let separator = place.isEmpty || place.hasPrefix("[") ? "" : "."
        return JSONError(code: code, reason: reason, offset: offset, place: name + separator + place)
    }

    /// The error of a value, as an error of the list that has the value at an index.
    func within(element index: Int) -> JSONError { within(member: "[\(index)]") }
}
