/// Decodes typed values from a document's JSON and collects warnings.
///
/// An error or a warning about a value has its place, such as "features.checkout.enabled", which follows from its offset.
package struct DocumentDecoder: Sendable {
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
    /// The root value of the text.
    package let root: JSONNode
    /// The offsets of the braces and brackets after trailing commas.
    package let trailingCommas: [Int]
    private let rootPlace: String

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

    /// Parses a text.
    /// - Parameters:
    ///   - text: UTF-8 JSON.
    ///   - rootPlace: The place of the root value; empty by default.
    ///   - allowsTrailingCommas: Whether a comma may follow the last member or element; false by default.
    ///   - allowsAllTexts: Whether a string may have any number of combining characters in a row; false by default.
    /// - Throws: A ``ConfigurationError`` of the code `malformed`, with the position.
    package init(
        _ text: [UInt8], at rootPlace: String = "", allowsTrailingCommas: Bool = false, allowsAllTexts: Bool = false
    ) throws(ConfigurationError) {
        (self.text, self.rootPlace) = (text, rootPlace)
        do throws(JSONError) {
            (root, trailingCommas) = try JSONReader.read(
                text, allowsTrailingCommas: allowsTrailingCommas, allowsAllTexts: allowsAllTexts)
        } catch {
            let error = rootPlace.isEmpty ? error : error.within(member: rootPlace)
            throw ConfigurationError(
                .malformed, place: error.place.oneLine(most: Self.maxPlaceLength), reason: error.reason,
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

    /// An error about a value.
    /// - Parameters:
    ///   - code: The error's code.
    ///   - reason: The reason, with the value that was found.
    ///   - node: The value.
    ///   - part: The place of a part within the value, such as ".id" or "[2]"; empty by default.
    /// - Returns: The error with its place and its position.
    package func fault(
        _ code: NamedCode<ConfigurationError>, _ reason: String, _ node: JSONNode, at part: String = ""
    ) -> ConfigurationError {
        ConfigurationError(
            code, place: place(of: node.offset, part), reason: reason,
            position: omitsPositions ? nil : TextPosition(of: node.offset, in: text))
    }

    /// Notes a warning.
    /// - Parameters:
    ///   - reason: The reason.
    ///   - offset: The offset of a value or a key.
    ///   - part: The place of a part within the value; empty by default.
    ///   - place: The place; nil, the default, for that of the offset.
    package mutating func warn(_ reason: String, _ offset: Int, at part: String = "", in place: String? = nil) {
        // Only the first warnings get a position, because it costs a scan of the text.
        guard errors?.isEmpty ?? true else { return }
        guard firstWarnings.count < Self.maxWarnings else {
            furtherWarnings += 1
            return
        }
        let place = place ?? self.place(of: offset, part)
        firstWarnings.append(ConfigurationError(.warning, place: place, reason: reason, position: position(of: offset)))
    }

    /// The place of the value or the key at an offset, on one line and bounded: a document's keys can have any length.
    package func place(of offset: Int, _ part: String = "") -> String {
        var (place, node) = (rootPlace, root)
        while node.offset < offset {
            if let members = node.members, let index = members.index(before: offset, \.nameOffset) {
                // A name can be as long as the document.
                let name = String(members[index].name.unicodeScalars.prefix(Self.maxPlaceLength + 1))
                place += (place.isEmpty ? "" : ".") + name
                node = members[index].value
            } else if case .array(let elements) = node.content, let index = elements.index(before: offset, \.offset) {
                place += "[\(index)]"
                node = elements[index]
            } else {
                break
            }
        }
        return (place + part).oneLine(most: Self.maxPlaceLength)
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

extension Array {
    /// The index of the last element whose offset is not above an offset; nil if there is none. The offsets ascend.
    fileprivate func index(before offset: Int, _ offsetOf: (Element) -> Int) -> Int? {
        var (first, end) = (0, count)
        while first < end {
            let middle = (first + end) / 2
            if offsetOf(self[middle]) <= offset { first = middle + 1 } else { end = middle }
        }
        return first > 0 ? first - 1 : nil
    }
}
