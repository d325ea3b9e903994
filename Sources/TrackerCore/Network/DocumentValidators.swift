/// By what a source knows whether a document has changed.
public struct DocumentValidators: Sendable, Hashable {
    /// The `ETag` of the answer.
    public var entityTag: String?

    /// The `Last-Modified` of the answer.
    public var lastModified: String?

    /// Creates validators.
    /// - Parameters:
    ///   - entityTag: The `ETag` of the answer.
    ///   - lastModified: The `Last-Modified` of the answer.
    public init(entityTag: String? = nil, lastModified: String? = nil) {
        self.entityTag = entityTag
        self.lastModified = lastModified
    }
}
