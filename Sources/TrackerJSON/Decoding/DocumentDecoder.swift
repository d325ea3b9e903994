/// Reads values of a document's JSON as types, and collects warnings.
///
/// Each reader takes the value's place, for the error that it throws if the value has another type.
package struct DocumentDecoder: Sendable {
    /// Where a value is, as "features.checkout.enabled"; only made for a fault or a warning.
    package typealias Place = () -> String

    private static let maxWarnings = 100
    /// The most keys of an object that are compared with one that it lacks.
    static let maxComparedKeys = 200
    /// The most Unicode scalars of a place in an error or a warning: it consists of the document's keys, which can be of any
    /// length.
    package static let maxPlaceLength = 300

    private var firstWarnings: [ConfigurationError] = []
    private var furtherWarnings = 0
    /// The last position that was calculated, and its offset.
    private var last = (offset: 0, position: TextPosition.start)
    let text: [UInt8]

    /// Whether faults become warnings, which get their positions when they are shown: finding one costs a scan of the text.
    package var omitsPositions = false

    /// The errors of a document that is read to its end, at most 100; nil if the first error stops the reading, as in a service.
    /// What follows an error is not warned of, because it can come from the error.
    package var errors: [ConfigurationError]?

    /// Notes an error, so that reading goes on with the next part.
    /// - Throws: The error if it stops the reading; after 100 errors one that says so.
    package mutating func note(_ error: ConfigurationError) throws(ConfigurationError) {
        guard let errors else { throw error }
        guard errors.count < Self.maxWarnings else {
            throw ConfigurationError(error.code, place: "", reason: "there are more errors, which are left out")
        }
        // Two settings of one name are at one place.
        if errors.last?.position != error.position || errors.last?.place != error.place { self.errors?.append(error) }
    }

    /// Creates a decoder.
    /// - Parameter text: The document's bytes, in which positions are calculated.
    package init(text: [UInt8]) { self.text = text }

    /// Parses a document's bytes.
    /// - Parameter text: UTF-8 JSON.
    /// - Returns: The root value.
    /// - Throws: A ``ConfigurationError/Code/malformed`` error with the position.
    package static func parse(_ text: [UInt8]) throws(ConfigurationError) -> JSONNode {
        try parse(text, allowsTrailingCommas: false).root
    }

    /// Parses the bytes of another system's file.
    /// - Parameters:
    ///   - text: UTF-8 JSON.
    ///   - allowsTrailingCommas: Whether a comma may stand after the last member or element.
    /// - Returns: The root value, and the offsets of the texts that follow such commas.
    /// - Throws: A ``ConfigurationError/Code/malformed`` error with the position.
    package static func parse(
        _ text: [UInt8], allowsTrailingCommas: Bool
    ) throws(ConfigurationError) -> (root: JSONNode, trailingCommas: [Int]) {
        do throws(JSONError) {
            return try JSONReader.read(text, allowsTrailingCommas: allowsTrailingCommas)
        } catch {
            throw ConfigurationError(
                .malformed, place: error.place.oneLine(most: maxPlaceLength), reason: error.reason,
                position: TextPosition(of: error.offset, in: text))
        }
    }

    /// The first hundred warnings, in the order of the text, and how many more there were.
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

    // A position costs a scan of the text, so only the warnings that are shown have one.
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

    /// Continues from the last position if it can: most warnings come in the order of the text.
    private mutating func position(of offset: Int) -> TextPosition {
        let from = offset < last.offset ? (offset: 0, position: TextPosition.start) : last
        last = (offset, from.position.moved(over: text[from.offset..<offset]))
        return last.position
    }
}

extension ConfigurationError {
    fileprivate var order: Int { position.map { $0.line << 32 + $0.column } ?? .max }
}
