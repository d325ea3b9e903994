import TrackerFeatures

/// Reads a document from its JSON.
struct DocumentReader {
    private static let schemaName = "com.snowplowanalytics.mobile/remote_config/jsonschema/"
    private static let schemaPrefixes = [
        "http://iglucentral.com/schemas/", "https://iglucentral.com/schemas/", "iglu:",
    ]

    /// The version after it was read.
    private(set) var version: Int?
    /// The valid collectors found so far.
    var usableEndpoints: Set<String> = []
    let purpose: Document.Purpose
    private let text: [UInt8]
    var decoder: DocumentDecoder

    init(_ text: [UInt8], purpose: Document.Purpose) throws(ConfigurationError) {
        (self.purpose, self.text) = (purpose, text)
        decoder = try DocumentDecoder(text)
    }

    mutating func read() throws(ConfigurationError) -> Document {
        let root = decoder.root
        let members = try decoder.object(root)
        var document = Document()
        do throws(ConfigurationError) {
            try checkSchema(try decoder.required("$schema", members, root))
        } catch { try decoder.note(error) }
        do throws(ConfigurationError) {
            let number = try decoder.required("configurationVersion", members, root)
            document.version = try decoder.version(number)
            version = document.version
        } catch { try decoder.note(error) }
        try decoder.checkRequirements(members)
        do throws(ConfigurationError) {
            document.bundles = try bundles(try decoder.required("configurationBundle", members, root))
        } catch { try decoder.note(error) }
        let (features, experiments, segments) = try decoder.features(of: members)
        (document.features, document.experiments, document.segments) = (features, experiments, segments.json)
        for member in members where !member.isNull {
            do throws(ConfigurationError) {
                try read(member, into: &document)
            } catch { try decoder.note(error) }
        }
        document.warnings = decoder.warnings
        var hash = StableHash()
        hash.combine(words: text)
        document.digest = hash.value
        return document
    }

    private mutating func read(_ member: JSONNode.Member, into document: inout Document) throws(ConfigurationError) {
        switch member.name {
        case "$schema", "configurationVersion", "configurationBundle": break
        case "requires", "features", "experiments", "segments": break
        case "meta":
            _ = try decoder.object(member.value)
            document.meta = member.value.value.object ?? document.meta
        case "rollout" where purpose == .default:
            decoder.warn("without effect in a default", member.nameOffset)
        case "rollout": document.rollout = try decoder.rollout(member.value)
        default: decoder.warn(DocumentDecoder.unknownKey, member.nameOffset)
        }
    }

    private func checkSchema(_ node: JSONNode) throws(ConfigurationError) {
        let schema = try decoder.text(node)
        let name = Self.schemaPrefixes.first { schema.hasPrefix($0) }.map { schema.dropFirst($0.count) } ?? ""
        guard name.hasPrefix(Self.schemaName) else {
            throw decoder.fault(
                .unsupportedSchema, "expected \(Self.schemaName)1-*-*, found \(schema.excerpt)", node)
        }
        let numbers = name.dropFirst(Self.schemaName.count).split(separator: "-", omittingEmptySubsequences: false)
        let isNumbered = numbers.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isASCII && $0.isNumber } }
        guard numbers.count == 3, isNumbered, numbers[0] == "1" else {
            throw decoder.fault(
                .unsupportedSchema, "this version reads schema versions 1-*-*, not \(schema.excerpt)", node)
        }
    }
}
