import TrackerConfig
package import TrackerCore

/// The formats of other systems that can be converted to a document.
package enum ImportFormat: String, Sendable, CaseIterable {
    /// MSActiveConfig's exchange format: sections of settings.
    case msActiveConfig = "msactiveconfig"
    /// JustTweak's LocalTweaks: features with variables.
    case justTweak = "justtweak"
    /// RolloutManager's dictionary of experiments, as JSON or a property list.
    case rolloutManager = "rolloutmanager"
    /// GrowthBook's payload of features, from its API, its proxy or a CDN.
    case growthBook = "growthbook"
}

/// A document made from another system's file.
///
/// It has no trackers; its author adds their bundles.
package struct ImportedDocument: Sendable {
    private static let schema: JSONValue =
        "http://iglucentral.com/schemas/com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1"

    /// The document as indented JSON, with a line break at its end.
    package let text: [UInt8]

    /// Warnings about settings that were left out or may have another meaning than intended, in the file's order.
    package let warnings: [ConfigurationError]

    /// Reads a file.
    /// - Parameters:
    ///   - file: The file's bytes: UTF-8 JSON; for RolloutManager also a property list.
    ///   - format: The file's format.
    ///   - version: The document's version, 0 … 9,007,199,254,740,991.
    /// - Throws: An error with its place if the file does not have the format.
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
            // For example, values may be nested deeper in the document than in the file.
            let reason = "a document cannot contain this: \(error.reason)"
            throw ConfigurationError(error.code, place: error.place, reason: reason)
        }
    }
}
