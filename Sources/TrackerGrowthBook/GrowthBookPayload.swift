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
        var decoder = try DocumentDecoder(text)
        let members = try decoder.object(decoder.root).filter { !$0.value.isNull }
        /// Returns a part with its decoder, decrypted if necessary; nil if there is none.
        func part(_ name: String, _ encryptedName: String) throws(ConfigurationError) -> (JSONNode, DocumentDecoder)? {
            guard let encrypted = members[encryptedName] else { return members[name].map { ($0, decoder) } }
            let ciphertext = try decoder.text(encrypted)
            guard let decrypt = options.decrypt else {
                let reason = "encrypted, and no closure to decrypt it is set"
                throw decoder.fault(.undecryptable, reason, encrypted)
            }
            let plain: [UInt8]
            do {
                plain = Array(try decrypt(ciphertext).utf8)
            } catch {
                // Without the error's own words, because they may contain decrypted text.
                throw ConfigurationError(
                    .undecryptable, place: encryptedName, reason: "it cannot be decrypted", cause: error)
            }
            let partDecoder = try DocumentDecoder(plain, at: name)
            return (partDecoder.root, partDecoder)
        }

        var groups: [JSONObject.Member] = []
        if let (node, decoder) = try part("savedGroups", "encryptedSavedGroups") {
            for group in try decoder.object(node) where !group.value.isNull {
                let values = try decoder.list(group.value).map(\.value)
                groups.append((group.name, .array(values)))
            }
        }
        guard let (node, partDecoder) = try part("features", "encryptedFeatures") else {
            throw decoder.missing("features", decoder.root)
        }
        savedGroups = JSONObject(unique: groups)
        let reader = GrowthBookReader(
            partDecoder, segments: Segments(savedGroups), isSticky: options.usesStickyBuckets)
        features = try reader.features(node)
        if case .array(let list)? = members["experiments"]?.content, !list.isEmpty {
            let reason = "experiments of the visual editor, URL redirects and their like (\(list.count)) are left out"
            decoder.warn(reason, decoder.root.offset, at: "experiments")
        }
        warnings = decoder.warnings + reader.decoder.warnings
    }
}

/// The kinds of error.
extension NamedCode<ConfigurationError> {
    /// An encrypted part cannot be decrypted.
    public static var undecryptable: Self { Self(rawValue: "undecryptable") }
}
