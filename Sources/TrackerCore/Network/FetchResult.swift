/// What a source answers.
@nonexhaustive
public enum FetchResult: Sendable {
    /// The document is the one of the validators.
    case notModified
    /// Another document.
    case document(FetchedDocument)
}

/// A document as a source gives it.
public struct FetchedDocument: Sendable {
    /// The bytes, decompressed.
    public var bytes: [UInt8]

    /// By what the source knows whether it has changed.
    public var validators: DocumentValidators

    /// The headers of the answer.
    public var headers: [HTTPHeader]

    /// Creates a document.
    /// - Parameters:
    ///   - bytes: The bytes, decompressed.
    ///   - validators: By what the source knows whether it has changed.
    ///   - headers: The headers of the answer.
    public init(_ bytes: [UInt8], validators: DocumentValidators = DocumentValidators(), headers: [HTTPHeader] = []) {
        self.bytes = bytes
        self.validators = validators
        self.headers = headers
    }
}
