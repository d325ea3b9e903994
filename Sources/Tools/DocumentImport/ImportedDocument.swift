package import TrackerConfig

/// A document that was made of an older system's file.
///
/// It has no trackers: their bundles are its author's to add.
package struct ImportedDocument: Sendable {
    private static let schema: JSONValue =
        "http://iglucentral.com/schemas/com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1"

    /// The document as JSON for people, with a line break at its end.
    package let text: [UInt8]

    /// The document as a service reads it, without warnings.
    package let document: Document

    /// What could not be carried over, or means something that the author may not have meant, in the file's order.
    package let warnings: [ConfigurationError]

    /// Reads a file.
    /// - Parameters:
    ///   - file: The file's bytes: UTF-8 JSON, of RolloutManager also a property list.
    ///   - format: What wrote it.
    ///   - version: The document's version, 0 … 9,007,199,254,740,991.
    /// - Throws: Where the file is none of its format, with the place in the file.
    package init(_ file: [UInt8], from format: ImportFormat, version: Int = 1) throws(ConfigurationError) {
        let members: [JSONObject.Member]
        let isPropertyList = format == .rolloutManager && PropertyListReader.recognizes(file)
        var report = ImportReport(text: isPropertyList ? nil : file)
        let root = isPropertyList ? try PropertyListReader.read(file) : try Self.json(file, &report)
        switch format {
        case .msActiveConfig:
            var reader = MSActiveConfigFile(report: report)
            members = try reader.members(root)
            warnings = reader.report.warnings
        case .justTweak:
            var reader = JustTweakFile(report: report)
            members = try reader.members(root)
            warnings = reader.report.warnings
        case .rolloutManager:
            var reader = RolloutManagerFile(report: report)
            members = try reader.members(root)
            warnings = reader.report.warnings
        case .growthBook:
            var reader = try GrowthBookFile(file)
            members = reader.members()
            warnings = reader.warnings
        }
        let document = JSONObject(
            unique: [
                ("$schema", Self.schema), ("configurationVersion", .int(version)), ("configurationBundle", []),
            ] + members)
        var writer = ByteWriter(capacity: file.count * 2)
        writer.append(pretty: .object(document))
        writer.append(UInt8(ascii: "\n"))
        text = writer.array
        do throws(ConfigurationError) {
            self.document = try Document(text)
        } catch {
            // As where values stand deeper in the document than the file had them.
            let reason = "a document cannot contain this: \(error.reason)"
            throw ConfigurationError(error.code, place: error.place, reason: reason)
        }
    }

    /// Reads JSON as the older systems' parsers do, which pass over a comma after the last member or element.
    private static func json(_ file: [UInt8], _ report: inout ImportReport) throws(ConfigurationError) -> JSONNode {
        let (root, trailingCommas) = try DocumentDecoder.parse(file, allowsTrailingCommas: true)
        for offset in trailingCommas {
            let end = Character(UnicodeScalar(file[offset]))
            report.note("", "a comma before '\(end)' is not valid JSON; it is ignored", offset)
        }
        return root
    }
}
