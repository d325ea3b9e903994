/// A mismatch between code and the configuration in use, such as the tracker of an unknown namespace. Issues are counted
/// since that configuration was applied. The first issue of each name is a warning in the log.
package struct CodeIssue: Sendable, Equatable, Encodable {
    package enum Kind: String, Sendable, Hashable, Encodable, CaseIterable {
        /// A namespace has no tracker, so its events are not tracked.
        case untracked
        /// No source has a feature, a variable, an experiment or a variant.
        case unknownName
        /// A value of the document has another type than code expects, or cannot be decrypted.
        case unreadable
        /// The schema of an event or an entity is not an Iglu URI. These issues stay until the process ends.
        case malformedSchema
    }

    package var kind: Kind
    /// The issue as a sentence without a full stop and without the count.
    package var text: String
    package var count: Int
}
