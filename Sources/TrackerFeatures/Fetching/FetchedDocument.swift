public import TrackerCore
package import TrackerJSON

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

/// The validators with which a source detects whether a document has changed.
public struct DocumentValidators: Sendable, Hashable {
    /// The `ETag` of the response.
    public var entityTag: String?

    /// The `Last-Modified` of the response.
    public var lastModified: String?

    /// Creates validators.
    /// - Parameters:
    ///   - entityTag: The `ETag` of the response.
    ///   - lastModified: The `Last-Modified` of the response.
    public init(entityTag: String? = nil, lastModified: String? = nil) {
        self.entityTag = entityTag
        self.lastModified = lastModified
    }
}

extension FetchedDocument {
    private static let maxStartLength = 40

    /// Describes a response that is not JSON, such as the error page of a proxy.
    /// - Parameter error: The error of reading the bytes.
    /// - Returns: The error with the response's URL; the same error for JSON with a mistake, and for a document that is
    ///   not a response.
    package func fault(_ error: ConfigurationError) -> ConfigurationError {
        guard error.code == .malformed, let url, let reason = reasonOfResponse else { return error }
        return ConfigurationError(.malformed, place: "", reason: "\(url): \(reason)", cause: error)
    }

    private var reasonOfResponse: String? {
        let content = bytes.drop { $0 <= 0x20 }
        guard let first = content.first else { return "the response is empty" }
        // Any other text may be JSON with a mistake, and then its place is more helpful.
        guard first < 0x7F, !"{[\"".utf8.contains(first) else { return nil }
        let isMarkup = first == UInt8(ascii: "<")
        var start = content.prefix { $0 >= 0x20 }
        if isMarkup, let end = start.firstIndex(of: UInt8(ascii: ">")) { start = start[...end] }
        let shown = String(decoding: start.prefix(4 * Self.maxStartLength), as: UTF8.self)
            .oneLine(most: Self.maxStartLength)
        let type = headers.first { $0.name.lowercased() == "content-type" }?.value.prefix { $0 != ";" }
        let shownType = type.map { " (\(String($0).trimmed.oneLine(most: Self.maxStartLength)))" } ?? ""
        let hint = isMarkup ? "; is a proxy in between?" : ""
        return "the response is not JSON, it begins with \"\(shown)\"\(shownType)\(hint)"
    }
}
