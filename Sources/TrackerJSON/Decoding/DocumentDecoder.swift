/// Decodes typed values from a document's JSON and collects warnings.
///
/// Each reading function takes the value's place, for the error about a wrong type.
package struct DocumentDecoder: Sendable {
    /// The place of a value, such as "features.checkout.enabled"; computed only for an error or a warning.
    package typealias Place = () -> String

    private static let maxWarnings = 100
    /// The maximum number of an object's keys that are compared with a missing key.
    static let maxComparedKeys = 200
    /// The maximum length in Unicode scalars of a place in a message; a document's keys can have any length.
    package static let maxPlaceLength = 300

    private var firstWarnings: [ConfigurationError] = []
    private var furtherWarnings = 0
    /// The last calculated position and its offset.
    private var last = (offset: 0, position: TextPosition.start)
    let text: [UInt8]

    /// Whether errors omit their position, which costs a scan: they become warnings, which get it when shown.
    package var omitsPositions = false

    /// The errors of a document that is read to its end, at most 100; nil if the first error stops the reading, as in a
    /// service. After an error no warnings are noted, because the error may have caused them.
    package var errors: [ConfigurationError]?

    /// Notes an error, so that reading continues with the next part.
    /// - Throws: The error if it stops the reading; after 100 errors, an error that says that there are more.
    package mutating func note(_ error: ConfigurationError) throws(ConfigurationError) {
        guard let errors else { throw error }
        guard errors.count < Self.maxWarnings else {
            throw ConfigurationError(error.code, place: "", reason: "there are more errors, which are left out")
        }
        // Two settings with the same name share a place, and would repeat the error.
        if errors.last?.position != error.position || errors.last?.place != error.place { self.errors?.append(error) }
    }

    /// Creates a decoder.
    /// - Parameter text: The document's bytes, for the calculation of positions.
    package init(text: [UInt8]) { self.text = text }

    /// Parses a document's bytes.
    /// - Parameter text: UTF-8 JSON.
    /// - Returns: The root value.
    /// - Throws: A ``ConfigurationError`` of the code `malformed`, with the position.
    package static func parse(_ text: [UInt8]) throws(ConfigurationError) -> JSONNode {
        try parse(text, allowsTrailingCommas: false).root
    }

    /// Parses the bytes of another system's file.
    /// - Parameters:
    ///   - text: UTF-8 JSON.
    ///   - allowsTrailingCommas: Whether a comma may follow the last member or element; false by default.
    ///   - allowsAllTexts: Whether a string may have any number of combining characters in a row; false by default.
    /// - Returns: The root value, and the offsets of the braces and brackets after such commas.
    /// - Throws: A ``ConfigurationError`` of the code `malformed`, with the position.
    package static func parse(
        _ text: [UInt8], allowsTrailingCommas: Bool = false, allowsAllTexts: Bool = false
    ) throws(ConfigurationError) -> (root: JSONNode, trailingCommas: [Int]) {
        do throws(JSONError) {
            return try JSONReader.read(
                text, allowsTrailingCommas: allowsTrailingCommas, allowsAllTexts: allowsAllTexts)
        } catch {
            throw ConfigurationError(
                .malformed, place: error.place.oneLine(most: maxPlaceLength), reason: error.reason,
                position: TextPosition(of: error.offset, in: text))
        }
    }

    /// The first hundred warnings, in the order of the text, and one with the number of further warnings.
    package var warnings: [ConfigurationError] {
        let warnings = firstWarnings.enumerated()
            .sorted { ($0.element.order, $0.offset) < ($1.element.order, $1.offset) }
            .map(\.element)
        guard furtherWarnings > 0 else { return warnings }
        return warnings + [
            ConfigurationError(.warning, place: "", reason: "\(furtherWarnings) more warnings are left out")
        ]
    }

    package func fault(
        _ code: NamedCode<ConfigurationError>, _ place: String, _ reason: String, _ node: JSONNode
    ) -> ConfigurationError {
        ConfigurationError(
            code, place: place.oneLine(most: Self.maxPlaceLength), reason: reason,
            position: omitsPositions ? nil : TextPosition(of: node.offset, in: text))
    }

    // Only the first warnings get a position, because it costs a scan of the text.
    package mutating func warn(_ place: String, _ reason: String, _ offset: Int) {
        guard errors?.isEmpty ?? true else { return }
        guard firstWarnings.count < Self.maxWarnings else {
            furtherWarnings += 1
            return
        }
        firstWarnings.append(
            ConfigurationError(
                .warning, place: place.oneLine(most: Self.maxPlaceLength), reason: reason,
                position: position(of: offset)))
    }

    /// Continues from the last position if possible, because most warnings come in the order of the text.
    private mutating func position(of offset: Int) -> TextPosition {
        let from = offset < last.offset ? (offset: 0, position: TextPosition.start) : last
        last = (offset, from.position.moved(over: text[from.offset..<offset]))
        return last.position
    }
}

extension ConfigurationError {
    fileprivate var order: Int { position.map { $0.line << 32 + $0.column } ?? .max }
}
