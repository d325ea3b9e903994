public import TrackerCore

/// A document that a source returns.
public struct FetchedDocument: Sendable {
    /// The bytes, decompressed.
    public var bytes: [UInt8]

    /// The validators of the next conditional request.
    public var validators: DocumentValidators

    /// The headers of the response.
    public var headers: [HTTPHeader]

    /// The requested URL and the URL that answered, without secrets; nil if the document is not a response.
    package var url: String?

    /// Creates a document.
    /// - Parameters:
    ///   - bytes: The bytes, decompressed.
    ///   - validators: The validators of the next conditional request.
    ///   - headers: The headers of the response.
    public init(_ bytes: [UInt8], validators: DocumentValidators = DocumentValidators(), headers: [HTTPHeader] = []) {
        self.bytes = bytes
        self.validators = validators
        self.headers = headers
    }
}
