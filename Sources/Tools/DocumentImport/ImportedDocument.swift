package import TrackerConfig

/// The formats of other systems from which a document can be made.
package enum ImportFormat: String, Sendable, CaseIterable {
    /// MSActiveConfig's exchange format: sections of settings.
    case msActiveConfig = "msactiveconfig"
    /// JustTweak's LocalTweaks: features with variables.
    case justTweak = "justtweak"
    /// RolloutManager's dictionary of experiments, as JSON or a property list.
    case rolloutManager = "rolloutmanager"
    /// GrowthBook's payload of features, as its API, its proxy or a CDN serves it.
    case growthBook = "growthbook"
}

/// A document that was made of another system's file.
///
/// It has no trackers: their bundles are its author's to add.
package struct ImportedDocument: Sendable {
    private static let schema: JSONValue =
        "http://iglucentral.com/schemas/com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1"

    /// The document as JSON for people, with a line break at its end.
    package let text: [UInt8]

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
        if format == .growthBook {
            var reader = try GrowthBookFile(file)
            members = reader.members()
            warnings = reader.warnings
        } else {
            var reader = SettingsFile(file, format)
            members = try reader.members()
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
            _ = try Document(text)
        } catch {
            // As where values stand deeper in the document than the file had them.
            let reason = "a document cannot contain this: \(error.reason)"
            throw ConfigurationError(error.code, place: error.place, reason: reason)
        }
    }
}
