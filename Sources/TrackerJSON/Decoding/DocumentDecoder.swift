/// Reads values of a document's JSON as types, and collects warnings.
///
/// Each reader takes the value's place, for the error that it throws if the value has another type.
package struct DocumentDecoder: Sendable {
    private static let maxWarnings = 100
    // Places consist of the document's keys, which can be of any length.
    private static let maxPlaceLength = 300

    private var firstWarnings: [ConfigurationWarning] = []
    private var furtherWarnings = 0
    /// The last position that was calculated, and its offset.
    private var last = (offset: 0, position: TextPosition.start)
    private let text: [UInt8]

    /// Whether faults become warnings, which get their positions when they are shown: finding one costs a scan of the text.
    package var omitsPositions = false

    /// Creates a decoder.
    /// - Parameter text: The document's bytes, in which positions are calculated.
    package init(text: [UInt8]) {
        self.text = text
    }

    /// Parses a document's bytes.
    /// - Parameter text: UTF-8 JSON.
    /// - Returns: The root value.
    /// - Throws: A ``ConfigurationError/Code/malformed`` error with the position.
    package static func parse(_ text: [UInt8]) throws(ConfigurationError) -> JSONNode {
        do throws(JSONError) {
            return try JSONReader.read(text)
        } catch {
            throw ConfigurationError(
                .malformed, place: "", reason: error.reason, position: TextPosition(of: error.offset, in: text))
        }
    }

    /// The first hundred warnings, and how many more there were.
    package var warnings: [ConfigurationWarning] {
        guard furtherWarnings > 0 else { return firstWarnings }
        let last = ConfigurationWarning(place: "", reason: "\(furtherWarnings) more warnings are left out")
        return firstWarnings + [last]
    }

    package func fault(
        _ code: ConfigurationError.Code, _ place: String, _ reason: String, _ node: JSONNode
    ) -> ConfigurationError {
        ConfigurationError(
            code, place: place.oneLine(most: Self.maxPlaceLength), reason: reason,
            position: omitsPositions ? nil : TextPosition(of: node.offset, in: text))
    }

    // A position costs a scan of the text, so only the warnings that are shown have one.
    package mutating func warn(_ place: String, _ reason: String, _ offset: Int) {
        guard firstWarnings.count < Self.maxWarnings else {
            furtherWarnings += 1
            return
        }
        firstWarnings.append(
            ConfigurationWarning(
                place: place.oneLine(most: Self.maxPlaceLength), reason: reason,
                position: position(of: offset)))
    }

    /// Continues from the last position if it can: most warnings come in the order of the text.
    private mutating func position(of offset: Int) -> TextPosition {
        let from = offset < last.offset ? (offset: 0, position: TextPosition.start) : last
        last = (offset, from.position.moved(over: text[from.offset..<offset]))
        return last.position
    }
}
