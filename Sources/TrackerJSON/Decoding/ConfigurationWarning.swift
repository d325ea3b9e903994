/// A problem of a configuration that is used in spite of it.
public struct ConfigurationWarning: Sendable, Hashable, CustomStringConvertible {
    /// The place, as a path of keys or a word ("cache", "event store"); empty for the whole document.
    public let place: String

    /// The problem and how the SDK handled it, without the place.
    public let reason: String

    /// The position in the document's text; nil if there is none.
    public let position: TextPosition?

    /// Creates a warning.
    /// - Parameters:
    ///   - place: The place, as a path of keys.
    ///   - reason: The problem and how the SDK handled it, without the place.
    ///   - position: The position in a text; nil by default.
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
