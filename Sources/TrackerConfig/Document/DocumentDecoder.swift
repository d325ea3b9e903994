/// Builds a document's parts from its JSON and remembers what was odd.
struct DocumentDecoder {
    /// What a document consists of.
    struct Parts {
        let version: DocumentVersion
        let bundles: [ConfigurationBundle]
        var meta = JSONObject()
        var features: [FeatureDefinition] = []
        var experiments: [Experiment] = []
        var rollout: Rollout?
    }

    private static let epoch = "versionEpoch"
    private static let schemaName = "com.snowplowanalytics.mobile/remote_config/jsonschema/"
    private static let schemaPrefixes = [
        "http://iglucentral.com/schemas/", "https://iglucentral.com/schemas/", "iglu:",
    ]

    private static let mostWarnings = 100
    // Places are made of the document's keys, which can be of any length.
    private static let longestPlace = 300

    private var firstWarnings: [ConfigurationWarning] = []
    private var furtherWarnings = 0
    /// The version, as soon as it was read.
    private(set) var version: DocumentVersion?
    /// Where the last position that was worked out stands.
    private var last = (offset: 0, position: TextPosition.start)
    /// Collectors that were checked.
    var usableEndpoints: Set<String> = []
    private let text: [UInt8]
    let purpose: Document.Purpose

    init(text: [UInt8], purpose: Document.Purpose) {
        self.text = text
        self.purpose = purpose
    }

    /// What was odd: the first hundred of it, and how much more there was.
    var warnings: [ConfigurationWarning] {
        guard furtherWarnings > 0 else { return firstWarnings }
        let last = ConfigurationWarning(place: "", reason: "\(furtherWarnings) more warnings are left out")
        return firstWarnings + [last]
    }

    mutating func decode(_ node: JSONNode) throws(ConfigurationError) -> Parts {
        let members = try object(node, "")
        try checkSchema(try required("$schema", members, node, ""))
        let place = "configurationVersion"
        var version = DocumentVersion(try readVersion(try required(place, members, node, ""), place))
        self.version = version
        if let epoch = members.first(where: { $0.name == Self.epoch }), !epoch.value.isNull {
            version.epoch = try readVersion(epoch.value, Self.epoch)
            self.version = version
        }
        let bundles = try self.bundles(try required("configurationBundle", members, node, ""))
        var parts = Parts(version: version, bundles: bundles)
        for member in members where !member.value.isNull {
            switch member.name {
            case "$schema", "configurationVersion", "configurationBundle": break
            case Self.epoch where purpose == .default:
                warn(member.name, "without effect in a default", member.nameOffset)
            case Self.epoch: break
            case "meta":
                _ = try object(member.value, "meta")
                parts.meta = try value(member.value, "meta").object ?? parts.meta
            case "features": parts.features = try features(member.value)
            case "experiments": parts.experiments = try experiments(member.value)
            case "rollout" where purpose == .default:
                warn(member.name, "without effect in a default", member.nameOffset)
            case "rollout": parts.rollout = try rollout(member.value)
            default: warn(member.name, Self.unknownKey, member.nameOffset)
            }
        }
        return parts
    }

    private func checkSchema(_ node: JSONNode) throws(ConfigurationError) {
        let schema = try text(node, "$schema")
        let name = Self.schemaPrefixes.first { schema.hasPrefix($0) }.map { schema.dropFirst($0.count) } ?? ""
        guard name.hasPrefix(Self.schemaName) else {
            throw fault(
                .unsupportedSchema, "$schema", "expected \(Self.schemaName)1-*-*, found \(schema.excerpt)", node)
        }
        let numbers = name.dropFirst(Self.schemaName.count).split(separator: "-", omittingEmptySubsequences: false)
        let isNumbered = numbers.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isASCII && $0.isNumber } }
        guard numbers.count == 3, isNumbered, numbers[0] == "1" else {
            throw fault(
                .unsupportedSchema, "$schema", "this version reads schema versions 1-*-*, not \(schema.excerpt)", node)
        }
    }

    private func readVersion(_ node: JSONNode, _ place: String) throws(ConfigurationError) -> Int {
        let version = try integer(node, place)
        guard 0...DocumentVersion.largest ~= version else {
            throw fault(.outOfRange, place, "expected 0 to \(DocumentVersion.largest), found \(version)", node)
        }
        return version
    }

    func fault(
        _ code: ConfigurationError.Code, _ place: String, _ reason: String, _ node: JSONNode
    ) -> ConfigurationError {
        ConfigurationError(
            code, place: place.oneLine(most: Self.longestPlace), reason: reason,
            position: TextPosition(of: node.offset, in: text))
    }

    // A position costs a scan of the text, and nobody reads a hundred thousand sentences.
    mutating func warn(_ place: String, _ reason: String, _ offset: Int) {
        guard firstWarnings.count < Self.mostWarnings else {
            furtherWarnings += 1
            return
        }
        firstWarnings.append(
            ConfigurationWarning(
                place: place.oneLine(most: Self.longestPlace), reason: reason,
                position: position(of: offset)))
    }

    /// Goes on from the last position where it can: most warnings come in the order of the text.
    private mutating func position(of offset: Int) -> TextPosition {
        let from = offset < last.offset ? (offset: 0, position: TextPosition.start) : last
        last = (offset, from.position.moved(over: text[from.offset..<offset]))
        return last.position
    }
}
