public import FoundationEssentials

/// The document in use.
public struct DocumentStatus: Sendable, Equatable, Codable {
    /// The source of the configuration in use; nil if there is none yet.
    public var state: ConfigurationState?

    /// The version; nil without a configuration, and for a default without a version.
    public var version: Int?

    /// The version's epoch; nil for a default.
    public var epoch: Int?

    /// The time when this process applied it.
    public var since: Date?

    /// The time when it was fetched; nil for a default.
    public var fetchTime: Date?

    /// The URL from which the document is fetched, without user, password and the values of its query.
    public var source: String?

    /// Whether the document in use is the fallback of all users, not the user's own.
    public var isFallback = false

    /// The user whose document is fetched; nil if there is none.
    public var user: String?

    /// The warnings of the document in use.
    public var warnings: [DocumentWarning] = []

    /// Creates the status of a setup without a configuration.
    public init() {}
}

/// A warning of a document, with its place in the document's text.
public struct DocumentWarning: Sendable, Equatable, Codable {
    /// The place, as a path of keys; empty for the whole document.
    public var place: String

    /// The problem and how the SDK handled it, without the place.
    public var reason: String

    /// The line in the document's text, from 1; nil if it is unknown.
    public var line: Int?

    /// The column in the line, from 1; nil if it is unknown.
    public var column: Int?

    /// Creates a warning.
    /// - Parameters:
    ///   - place: The place, as a path of keys.
    ///   - reason: The problem and how the SDK handled it.
    ///   - line: The line in the document's text, from 1.
    ///   - column: The column in the line, from 1.
    public init(place: String, reason: String, line: Int? = nil, column: Int? = nil) {
        self.place = place
        self.reason = reason
        self.line = line
        self.column = column
    }

    init(_ warning: ConfigurationWarning) {
        self.init(
            place: warning.place, reason: warning.reason, line: warning.position?.line,
            column: warning.position?.column)
    }
}
