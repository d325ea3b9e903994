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
