/// Why a configuration cannot be used, from a document or from code.
public struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of fault.
    public enum Code: Sendable, Hashable {
        /// The text is not JSON, or JSON that a strict reader refuses.
        case malformed
        /// The document has a schema that this version does not read.
        case unsupportedSchema
        /// A required key is missing.
        case missingValue
        /// A value has the wrong JSON type.
        case wrongType
        /// A value is outside what can be accepted.
        case outOfRange
        /// A URL that nothing can be sent to or fetched from.
        case unusableURL
        /// A collector that a document may not name.
        case forbiddenCollector
        /// Two bundles have one namespace.
        case duplicateNamespace
        /// Two experiments have one id, or two variants of an experiment one name.
        case duplicateName
        /// The document's signature or the like is wrong.
        case unverified
        /// There is no field of that name.
        case unknownField
    }

    /// The kind of fault.
    public let code: Code

    /// Where it is, as a path of keys (`configurationBundle[1].networkConfiguration.endpoint`); empty for the whole.
    public let place: String

    /// What is wrong, without the place.
    public let reason: String

    /// Where in the document's text, if it came from one.
    public let position: TextPosition?

    /// The version of the document, if it came from one and that much of it could be read.
    public var version: Int?

    package init(_ code: Code, place: String, reason: String, position: TextPosition? = nil) {
        self.code = code
        self.place = place
        self.reason = reason
        self.position = position
    }

    /// The place, the reason and the position as one sentence.
    public var description: String {
        (place.isEmpty ? "" : "\(place): ") + reason + (position.map { " (\($0))" } ?? "")
    }
}
