public import TrackerCore

/// A document that a source returns.
public struct FetchedDocument: Sendable {
    /// The bytes, decompressed.
    public var bytes: [UInt8]

    /// The validators that show the source whether the document has changed.
    public var validators: DocumentValidators

    /// The headers of the response.
    public var headers: [HTTPHeader]

    /// The URL that was fetched and the one that answered, as they may be shown; nil if the document is not a response.
    package var url: String?

    /// Creates a document.
    /// - Parameters:
    ///   - bytes: The bytes, decompressed.
    ///   - validators: The validators that show the source whether the document has changed.
    ///   - headers: The headers of the response.
    public init(_ bytes: [UInt8], validators: DocumentValidators = DocumentValidators(), headers: [HTTPHeader] = []) {
        self.bytes = bytes
        self.validators = validators
        self.headers = headers
    }
}
