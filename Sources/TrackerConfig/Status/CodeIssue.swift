/// Something that code asks for and does not get since the configuration in use was applied, such as the tracker of an
/// unknown namespace. The first of each name is a warning in the log.
package struct CodeIssue: Sendable, Equatable, Codable {
    /// The kind of issue.
    package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// A namespace has no tracker, so its events are not tracked.
        case untracked
        /// No source has a feature, a variable, an experiment or a variant.
        case unknownName
        /// A value of the document has another type than code asks for, or cannot be decrypted.
        case unreadable
        /// The schema of an event or an entity is no Iglu URI. These stay until the process ends.
        case malformedSchema
    }

    /// The kind of issue.
    package var kind: Kind

    /// The issue as a sentence without a full stop and without the count.
    package var text: String

    /// The number of times.
    package var count: Int

    package init(kind: Kind, text: String, count: Int) {
        (self.kind, self.text, self.count) = (kind, text, count)
    }
}
