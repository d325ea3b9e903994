import TrackerFeatures

/// Reads a document's parts from its JSON.
struct DocumentReader {
    /// The parts of a document.
    package struct Parts {
        var version = 0
        var bundles: [ConfigurationBundle] = []
        var meta = JSONObject()
        var segments = JSONObject()
        var features: [FeatureDefinition] = []
        var experiments: [Experiment] = []
        var rollout: Rollout?
    }

    private static let schemaName = "com.snowplowanalytics.mobile/remote_config/jsonschema/"
    private static let schemaPrefixes = [
        "http://iglucentral.com/schemas/", "https://iglucentral.com/schemas/", "iglu:",
    ]

    /// The version after it was read.
    private(set) var version: Int?
    /// The valid collectors found so far.
    var usableEndpoints: Set<String> = []
    let purpose: Document.Purpose
    var decoder: DocumentDecoder

    init(text: [UInt8], purpose: Document.Purpose) {
        self.purpose = purpose
        decoder = DocumentDecoder(text: text)
    }

    mutating func read(_ node: JSONNode) throws(ConfigurationError) -> Parts {
        let members = try decoder.object(node, "")
        var parts = Parts()
        do throws(ConfigurationError) {
            try checkSchema(try decoder.required("$schema", members, node, ""))
        } catch { try decoder.note(error) }
        do throws(ConfigurationError) {
            let number = try decoder.required("configurationVersion", members, node, "")
            parts.version = try decoder.version(number, "configurationVersion")
            version = parts.version
        } catch { try decoder.note(error) }
        try decoder.checkRequirements(members)
        do throws(ConfigurationError) {
            parts.bundles = try bundles(try decoder.required("configurationBundle", members, node, ""))
        } catch { try decoder.note(error) }
        let (features, experiments, segments) = try decoder.features(of: members)
        (parts.features, parts.experiments, parts.segments) = (features, experiments, segments.json)
        for member in members where !member.isNull {
            do throws(ConfigurationError) {
                try read(member, into: &parts)
            } catch { try decoder.note(error) }
        }
        return parts
    }

    private mutating func read(_ member: JSONNode.Member, into parts: inout Parts) throws(ConfigurationError) {
        switch member.name {
        case "$schema", "configurationVersion", "configurationBundle": break
        case "requires", "features", "experiments", "segments": break
        case "meta":
            _ = try decoder.object(member.value, "meta")
            parts.meta = member.value.value.object ?? parts.meta
        case "rollout" where purpose == .default:
            decoder.warn(member.name, "without effect in a default", member.nameOffset)
        case "rollout": parts.rollout = try decoder.rollout(member.value)
        default: decoder.warn(member.name, DocumentDecoder.unknownKey, member.nameOffset)
        }
    }

    private func checkSchema(_ node: JSONNode) throws(ConfigurationError) {
        let schema = try decoder.text(node, "$schema")
        let name = Self.schemaPrefixes.first { schema.hasPrefix($0) }.map { schema.dropFirst($0.count) } ?? ""
        guard name.hasPrefix(Self.schemaName) else {
            throw decoder.fault(
                .unsupportedSchema, "$schema", "expected \(Self.schemaName)1-*-*, found \(schema.excerpt)", node)
        }
        let numbers = name.dropFirst(Self.schemaName.count).split(separator: "-", omittingEmptySubsequences: false)
        let isNumbered = numbers.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isASCII && $0.isNumber } }
        guard numbers.count == 3, isNumbered, numbers[0] == "1" else {
            throw decoder.fault(
                .unsupportedSchema, "$schema", "this version reads schema versions 1-*-*, not \(schema.excerpt)", node)
        }
    }
}
