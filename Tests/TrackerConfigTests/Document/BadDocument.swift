import Testing
import TrackerCore

/// A document that must be refused, with what the error must say.
struct BadDocument: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    let code: NamedCode<ConfigurationError>
    /// The path of the key; nil if the text is no JSON and its cause stands elsewhere.
    let place: String?

    var testDescription: String { name }

    init(_ name: String, _ bytes: [UInt8], _ code: NamedCode<ConfigurationError> = .malformed, at place: String? = nil)
    {
        self.name = name
        self.bytes = bytes
        self.code = code
        self.place = place ?? (code == .malformed ? nil : "")
    }

    init(_ name: String, _ text: String, _ code: NamedCode<ConfigurationError> = .malformed, at place: String? = nil) {
        self.init(name, Array(text.utf8), code, at: place)
    }
}
