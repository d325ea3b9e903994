public import TrackerFeatures

/// The features of a payload from GrowthBook's API, its proxy or a CDN.
///
/// ```json
/// { "features": { "checkout": { "defaultValue": false, "rules": [ { "force": true, "coverage": 0.2 } ] } },
///   "savedGroups": { "beta": ["u-1", "u-7"] } }
/// ```
///
/// A feature's value is its variable `value`; the members of an object are variables too. A feature is enabled if its
/// value is truthy as in JavaScript. Rules keep their order. A rule with a value that this version cannot use matches
/// no context, with a warning, if its key decides which contexts it matches. Keys that this version does not know are
/// ignored, with one warning for all of them.
package struct GrowthBookPayload: Sendable {
    /// The features in the payload's order.
    package let features: [FeatureDefinition]

    /// The saved groups in the payload's order.
    package let savedGroups: JSONObject

    /// Problems that did not prevent reading the payload.
    package let warnings: [ConfigurationError]

    /// Reads a payload.
    /// - Parameters:
    ///   - text: UTF-8 JSON.
    ///   - options: ``GrowthBookOptions/usesStickyBuckets`` and ``GrowthBookOptions/decrypt``; the others are not used.
    /// - Throws: The first fault, with its place.
    package init(_ text: [UInt8], options: GrowthBookOptions = GrowthBookOptions()) throws(ConfigurationError) {
        var decoder = DocumentDecoder(text: text)
        let root = try DocumentDecoder.parse(text)
        let members = try decoder.object(root, "").filter { !$0.value.isNull }
        if case .array(let list)? = members["experiments"]?.content, !list.isEmpty {
            let reason = "experiments of the visual editor, URL redirects and their like (\(list.count)) are left out"
            decoder.warn("experiments", reason, root.offset)
        }
        /// Returns a part with its text, decrypted if necessary; nil if there is none.
        func part(_ name: String, _ encryptedName: String) throws(ConfigurationError) -> (JSONNode, [UInt8])? {
            guard let encrypted = members[encryptedName] else { return members[name].map { ($0, text) } }
            let ciphertext = try decoder.text(encrypted, encryptedName)
            guard let decrypt = options.decrypt else {
                let reason = "encrypted, and no closure to decrypt it is set"
                throw decoder.fault(.undecryptable, encryptedName, reason, encrypted)
            }
            let plain: [UInt8]
            do {
                plain = Array(try decrypt(ciphertext).utf8)
            } catch {
                // Without the error's own words, because they may contain decrypted text.
                throw ConfigurationError(
                    .undecryptable, place: encryptedName, reason: "it cannot be decrypted", cause: error)
            }
            return (try DocumentDecoder.parse(plain), plain)
        }

        var groups: [JSONObject.Member] = []
        if let (node, text) = try part("savedGroups", "encryptedSavedGroups") {
            let decoder = DocumentDecoder(text: text)
            for group in try decoder.object(node, "savedGroups") where !group.value.isNull {
                let values = try decoder.list(group.value, "savedGroups.\(group.name)").map(\.value)
                groups.append((group.name, .array(values)))
            }
        }
        guard let (node, plain) = try part("features", "encryptedFeatures") else {
            throw decoder.missing("features", root, "")
        }
        savedGroups = JSONObject(unique: groups)
        let reader = GrowthBookReader(plain, segments: Segments(savedGroups), isSticky: options.usesStickyBuckets)
        features = try reader.features(node)
        warnings = decoder.warnings + reader.decoder.warnings
    }
}

/// The kinds of error.
extension NamedCode<ConfigurationError> {
    /// An encrypted part cannot be decrypted.
    public static var undecryptable: Self { Self(rawValue: "undecryptable") }
}
