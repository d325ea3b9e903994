/// What is odd about a configuration that is used all the same.
public struct ConfigurationWarning: Sendable, Hashable, CustomStringConvertible {
    /// What it is about, as a path of keys or a word ("cache", "event store"); empty for the whole document.
    public let place: String

    /// What is odd and what was done, without the place.
    public let reason: String

    /// Where in the document's text, if it came from one.
    public let position: TextPosition?

    /// Creates a warning.
    /// - Parameters:
    ///   - place: What it is about.
    ///   - reason: What is odd and what was done, without the place.
    ///   - position: Where in a text; nil by default.
    public init(place: String, reason: String, position: TextPosition? = nil) {
        self.place = place
        self.reason = reason
        self.position = position
    }

    /// The place, the reason and the position as one sentence.
    public var description: String {
        (place.isEmpty ? "" : "\(place): ") + reason + (position.map { " (\($0))" } ?? "")
    }
}
