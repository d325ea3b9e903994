public import TrackerFeatures

/// What GrowthBook's API, its proxy or a CDN serves, as definitions of features.
///
/// ```json
/// { "features": { "checkout": { "defaultValue": false, "rules": [ { "force": true, "coverage": 0.2 } ] } },
///   "savedGroups": { "beta": ["u-1", "u-7"] } }
/// ```
///
/// A feature's value is its variable `value`; the members of an object are variables too. A feature is enabled if its value is
/// truthy as in JavaScript. Rules keep their order. A rule with a value that this version cannot use matches no context, with a
/// warning, if its key decides which contexts it matches. Keys that this version does not know are ignored, with one warning
/// for all of them.
package struct GrowthBookPayload: Sendable {
    /// The features in the payload's order.
    package let features: [FeatureDefinition]

    /// The saved groups in the payload's order.
    package let savedGroups: [(name: String, values: [JSONValue])]

    /// Problems that did not prevent reading the payload.
    package let warnings: [ConfigurationError]

    /// Reads a payload.
    /// - Parameters:
    ///   - text: UTF-8 JSON.
    ///   - options: ``GrowthBookOptions/usesStickyBuckets`` and ``GrowthBookOptions/decrypt``; the others are not used.
    /// - Throws: The first fault, with its place.
    package init(_ text: [UInt8], options: GrowthBookOptions = GrowthBookOptions()) throws(ConfigurationError) {
        try self.init(DocumentDecoder.parse(text), in: text, options: options)
    }

    /// Reads a payload that is part of a text.
    /// - Parameters:
    ///   - root: The payload.
    ///   - text: The text that it stands in, for positions.
    ///   - options: ``GrowthBookOptions/usesStickyBuckets`` and ``GrowthBookOptions/decrypt``; the others are not used.
    /// - Throws: The first fault, with its place.
    package init(_ root: JSONNode, in text: [UInt8], options: GrowthBookOptions = GrowthBookOptions())
        throws(ConfigurationError)
    {
        var decoder = DocumentDecoder(text: text)
        let members = try decoder.object(root, "").filter { !$0.value.isNull }
        func value(_ name: String) -> JSONNode? { members.first { $0.name == name }?.value }

        if case .array(let experiments)? = value("experiments")?.content, !experiments.isEmpty {
            let reason =
                "experiments of the visual editor, URL redirects and their like (\(experiments.count)) are left out"
            decoder.warn("experiments", reason, root.offset)
        }
        var groups: [(name: String, values: [JSONValue])] = []
        var groupWarnings: [ConfigurationError] = []
        if let encrypted = value("encryptedSavedGroups") {
            let plain = try Self.decrypted(encrypted, "encryptedSavedGroups", decoder, options)
            let inner = DocumentDecoder(text: plain)
            groups = try Self.savedGroups(DocumentDecoder.parse(plain), inner)
            groupWarnings = inner.warnings
        } else if let node = value("savedGroups") {
            groups = try Self.savedGroups(node, decoder)
        }
        savedGroups = groups
        let segments = Self.segments(groups)

        if let encrypted = value("encryptedFeatures") {
            let plain = try Self.decrypted(encrypted, "encryptedFeatures", decoder, options)
            var reader = GrowthBookReader(DocumentDecoder(text: plain), segments: segments, options: options)
            features = try reader.features(DocumentDecoder.parse(plain))
            warnings = decoder.warnings + groupWarnings + reader.decoder.warnings
        } else if let node = value("features") {
            var reader = GrowthBookReader(decoder, segments: segments, options: options)
            features = try reader.features(node)
            warnings = groupWarnings + reader.decoder.warnings
        } else {
            throw decoder.missing("features", root, "")
        }
    }

    /// Reads an experiment that stands alone, as `run` of GrowthBook's SDKs takes it.
    /// - Parameters:
    ///   - text: The experiment as UTF-8 JSON. Its variations are values of a feature with the name of its key.
    ///   - options: ``GrowthBookOptions/usesStickyBuckets`` and ``GrowthBookOptions/decrypt``; the others are not used.
    /// - Returns: The experiment, whose condition may name the saved groups; nil if it has no variations.
    /// - Throws: An error if the text is no object.
    package func experiment(
        _ text: [UInt8], options: GrowthBookOptions = GrowthBookOptions()
    ) throws(ConfigurationError) -> Experiment? {
        var reader = GrowthBookReader(
            DocumentDecoder(text: text), segments: Self.segments(savedGroups), options: options)
        return try reader.experiment(DocumentDecoder.parse(text), "experiment")
    }

    private static func segments(_ groups: [(name: String, values: [JSONValue])]) -> Segments {
        Segments(JSONObject(unique: groups.map { ($0.name, .array($0.values)) }))
    }

    private static func savedGroups(
        _ node: JSONNode, _ decoder: DocumentDecoder
    ) throws(ConfigurationError) -> [(name: String, values: [JSONValue])] {
        var groups: [(name: String, values: [JSONValue])] = []
        for group in try decoder.object(node, "savedGroups") where !group.value.isNull {
            let place = "savedGroups.\(group.name)"
            var values: [JSONValue] = []
            values += try decoder.list(group.value, place).map(\.value)
            groups.append((group.name, values))
        }
        return groups
    }

    private static func decrypted(
        _ node: JSONNode, _ place: String, _ decoder: DocumentDecoder, _ options: GrowthBookOptions
    ) throws(ConfigurationError) -> [UInt8] {
        let ciphertext = try decoder.text(node, place)
        guard let decrypt = options.decrypt else {
            throw decoder.fault(.undecryptable, place, "encrypted, and no closure to decrypt it is set", node)
        }
        do {
            return Array(try decrypt(ciphertext).utf8)
        } catch {
            // Not the error's own words: they may contain what was decrypted.
            throw ConfigurationError(.undecryptable, place: place, reason: "it cannot be decrypted", cause: error)
        }
    }
}

/// The kinds of error.
extension NamedCode<ConfigurationError> {
    /// An encrypted part cannot be decrypted.
    public static var undecryptable: Self { Self(rawValue: "undecryptable") }
}
