import Testing
import TrackerCore

/// A document that must be refused, with what the error must say.
struct BadDocument: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    let code: ConfigurationError.Code
    /// The path of the key; empty where the text is no JSON or no object.
    let place: String

    var testDescription: String { name }

    init(_ name: String, _ bytes: [UInt8], _ code: ConfigurationError.Code = .malformed, at place: String = "") {
        self.name = name
        self.bytes = bytes
        self.code = code
        self.place = place
    }

    init(_ name: String, _ text: String, _ code: ConfigurationError.Code = .malformed, at place: String = "") {
        self.init(name, Array(text.utf8), code, at: place)
    }
}
