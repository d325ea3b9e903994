/// A problem of a configuration that is used in spite of it.
public struct ConfigurationWarning: Sendable, Hashable, CustomStringConvertible {
    /// The place, as a path of keys or a word ("cache", "event store"); empty for the whole document.
    public let place: String

    /// The problem and how the SDK handled it, without the place.
    public let reason: String

    package let position: TextPosition?

    /// The line in the document's text, from 1; nil if there is none.
    public var line: Int? { position?.line }

    /// The column in the line, from 1, with one for each Unicode scalar; nil if there is none.
    public var column: Int? { position?.column }

    /// Creates a warning.
    /// - Parameters:
    ///   - place: The place, as a path of keys.
    ///   - reason: The problem and how the SDK handled it, without the place.
    public init(place: String, reason: String) {
        self.init(place: place, reason: reason, position: nil)
    }

    package init(place: String, reason: String, position: TextPosition?) {
        self.place = place
        self.reason = reason
        self.position = position
    }

    /// The place, the reason and the position as one sentence.
    public var description: String {
        (place.isEmpty ? "" : "\(place): ") + reason + (position.map { " (\($0))" } ?? "")
    }
}

/// Encoded with the keys `place`, `reason`, `line` and `column`.
extension ConfigurationWarning: Codable {
    private enum CodingKeys: CodingKey {
        case place, reason, line, column
    }

    /// Decodes a warning.
    /// - Parameter decoder: The decoder.
    /// - Throws: The decoder's error.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let line = try values.decodeIfPresent(Int.self, forKey: .line)
        let column = try values.decodeIfPresent(Int.self, forKey: .column)
        place = try values.decode(String.self, forKey: .place)
        reason = try values.decode(String.self, forKey: .reason)
        position = line.flatMap { line in column.map { TextPosition(line: line, column: $0) } }
    }

    /// Encodes the warning.
    /// - Parameter encoder: The encoder.
    /// - Throws: The encoder's error.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(place, forKey: .place)
        try values.encode(reason, forKey: .reason)
        try values.encodeIfPresent(position?.line, forKey: .line)
        try values.encodeIfPresent(position?.column, forKey: .column)
    }
}
