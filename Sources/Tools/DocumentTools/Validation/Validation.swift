import TrackerAccessors
package import TrackerConfig

/// A document, read by the SDK and held against the schema.
package struct Validation {
    package let file: String

    /// The document, where a service could use it.
    package let document: Document?

    /// The version, where that much could be read.
    package let version: Int?

    /// What is wrong, in the order of the text.
    package let errors: [Finding]

    /// What is odd and is lived with.
    package let warnings: [Finding]

    /// The largest document that a service fetches unless it says otherwise, in bytes.
    package static let maxDocumentSize = RemoteConfiguration(endpoint: "").maxDocumentSize

    /// Validates a file.
    /// - Parameters:
    ///   - text: The document's bytes.
    ///   - name: The name of its file, as reports show it.
    ///   - purpose: For whom it is read.
    ///   - maxDocumentSize: The largest document that the service fetches, in bytes; nil for no bound.
    ///   - expected: The features that code reads; nil, the default, compares with none.
    /// - Throws: If the schema itself cannot be used.
    package init(
        _ text: [UInt8], named name: String, purpose: Document.Purpose = .remote, maxDocumentSize: Int? = nil,
        against expected: ExpectedFeatures? = nil
    ) throws {
        file = name
        var errors: [Finding] = []
        var said: Set<String> = []
        do throws(ConfigurationError) {
            let document = try Document(text, purpose: purpose)
            self.document = document
            version = document.version
        } catch {
            document = nil
            version = error.version
            let place = error.missingKey.map { JSONSchema.path(to: $0, in: error.place) } ?? error.place
            said.insert(place.oneLine(most: DocumentDecoder.maxPlaceLength))
            let reason = text.isEmpty ? "the file is empty" : error.reason
            errors = [Finding(place: error.place, reason: reason, position: error.position, judge: .decoder)]
        }
        if let maxDocumentSize, text.count > maxDocumentSize {
            let reason = "\(text.count) bytes, and a service fetches no document larger than \(maxDocumentSize) bytes"
            errors.append(Finding(place: "", reason: reason, position: nil, judge: .decoder))
        }
        var warnings = Document.warnings(of: text, purpose: purpose).map { Finding($0, by: .decoder) }
        // A text that is not JSON has no values to check; the decoder has reported it.
        if let node = try? JSONReader.read(text) {
            let unknownKeys = try DocumentSchema.schema().unknownKeys(of: node)
            warnings = UnknownKey.suggesting(unknownKeys, to: warnings, in: text)
            let unusable = Set(warnings.compactMap { FailClosedPart.place(containing: $0.place) })
            let faults = try DocumentSchema.faults(of: node, purpose: purpose).filter { !$0.isSaid(by: said) }
            let positions = TextPosition.positions(of: faults.map(\.offset), in: text)
            for fault in faults {
                let place = fault.parent?.oneLine(most: DocumentDecoder.maxPlaceLength) ?? fault.shownPlace
                let finding = Finding(
                    place: place, reason: fault.reason, position: positions[fault.offset], judge: .schema)
                guard let part = FailClosedPart.place(containing: fault.shownPlace) else {
                    errors.append(finding)
                    continue
                }
                // A service uses a document with an unusable rule; the decoder says so, but of a limited number only.
                if !unusable.contains(part) { warnings.append(finding) }
            }
            if let findings = expected?.findings(in: node, text) {
                errors += findings.errors
                warnings += findings.warnings
            }
        }
        self.errors = errors.sorted { $0.order < $1.order }
        // What the default says is known to the service's author, and is not warned of at run time either.
        let caveats = (document?.caveats ?? []) + (purpose == .remote ? document?.unencryptedCollectors ?? [] : [])
        self.warnings =
            warnings + caveats.map { Finding($0, by: .service) }
            + (document?.advice ?? []).map { Finding($0, by: .advice) }
            + Self.accessorFaults(of: document?.features ?? [], text)
    }

    /// What would prevent generated accessors.
    private static func accessorFaults(of features: [FeatureDefinition], _ text: [UInt8]) -> [Finding] {
        AccessorFile(features, of: text).faults.map { fault in
            Finding(
                place: fault.place, reason: "generate refuses this: \(fault.reason)",
                position: fault.position, judge: .generator)
        }
    }

    package var json: JSONObject {
        [
            "file": .string(file), "version": version.map(JSONValue.int) ?? .null,
            "errors": .array(errors.map(\.json)), "warnings": .array(warnings.map(\.json)),
        ]
    }
}

extension Document {
    /// What the author should know of settings that are read without fault, as of those without effect in a service.
    fileprivate var caveats: [ConfigurationError] {
        var settings: [ConfigurationError] = []
        for (index, bundle) in bundles.enumerated() {
            for section in ConfigurationBundle.sections {
                section.caveats(bundle) { field, reason in
                    let place = "configurationBundle[\(index)].\(section.key).\(field)"
                    settings.append(ConfigurationError(.warning, place: place, reason: reason))
                }
            }
        }
        return settings + collectorsWithPath + idleRules + sharedKeys
    }

    /// What the author may have meant otherwise, in rules and experiments that can be used.
    fileprivate var advice: [ConfigurationError] {
        var advice: [ConfigurationError] = []
        func add(_ targeting: Targeting, _ place: String) {
            if let condition = targeting.condition {
                advice += ConditionAdvice(condition.json, at: "\(place).condition").warnings
            }
            for (index, prerequisite) in targeting.prerequisites.enumerated() {
                guard let condition = prerequisite.condition else { continue }
                let place = "\(place).prerequisites[\(index)].condition"
                advice += ConditionAdvice(condition.json, at: place).warnings
            }
        }
        for feature in features {
            for (index, rule) in feature.rules.enumerated() where rule.isUsable {
                add(rule.targeting, "features.\(feature.name).rules[\(index)]")
            }
        }
        for (index, experiment) in experiments.enumerated() where experiment.isUsable {
            add(experiment.targeting, "experiments[\(index)]")
        }
        return advice + UnreachableRules(features).warnings + EqualDraws(features, experiments).warnings
    }

    /// The collectors whose URL has a tracker's POST path, which trackers add themselves.
    private var collectorsWithPath: [ConfigurationError] {
        bundles.enumerated().compactMap { index, bundle in
            guard let endpoint = bundle.network?.endpoint, let url = try? EndpointURL(collector: endpoint),
                url.text.hasSuffix("/com.snowplowanalytics.snowplow/tp2")
            else { return nil }
            return ConfigurationError(
                .warning, place: "configurationBundle[\(index)].networkConfiguration.endpoint",
                reason:
                    "the URL ends in the path com.snowplowanalytics.snowplow/tp2, which the tracker adds: leave it out"
            )
        }
    }

    /// The collectors to which events would be sent in clear; those on the service's own machine are left out.
    fileprivate var unencryptedCollectors: [ConfigurationError] {
        bundles.enumerated().compactMap { index, bundle in
            // One that cannot be used is a finding of its own.
            guard let origin = bundle.network?.endpoint.flatMap({ try? EndpointURL(collector: $0).origin }),
                origin.scheme == "http", !origin.isLoopback
            else { return nil }
            return ConfigurationError(
                .warning, place: "configurationBundle[\(index)].networkConfiguration.endpoint",
                reason: "\(origin) gets events unencrypted; a service that fetches the document by https logs a warning"
            )
        }
    }

    /// Rules of disabled features.
    private var idleRules: [ConfigurationError] {
        features.filter { $0.isDisabled && !$0.rules.isEmpty }.map { feature in
            ConfigurationError(
                .warning, place: "\(DocumentDecoder.place(ofFeature: feature.name)).disabled",
                reason: "the feature is disabled, so its rules are without effect")
        }
    }

    /// Sticky experiments whose assignments the store keeps under a key that another experiment uses too.
    private var sharedKeys: [ConfigurationError] {
        let sticky = experiments.enumerated().filter { $0.element.isSticky }
        let ids = Set(sticky.map { ExactText($0.element.id) })
        return sticky.compactMap { index, experiment in
            guard let (id, version) = experiment.versionedKey, ids.contains(ExactText(id)) else { return nil }
            let reason =
                "the store keeps assignments of \(id.excerpt) with the bucketVersion \(version) under this id too, so "
                + "units of one experiment may get a variant of the other"
            return ConfigurationError(.warning, place: "experiments[\(index)].id", reason: reason)
        }
    }
}

extension Experiment {
    /// The id and the version of another experiment if its assignments of that version are stored under this id.
    fileprivate var versionedKey: (id: String, version: Int)? {
        guard let match = id.wholeMatch(of: /(.+)__([1-9][0-9]*)/.dotMatchesNewlines()),
            let version = Int(match.2), version <= Experiment.maxBucketVersion
        else { return nil }
        return (String(match.1), version)
    }
}

extension JSONSchema.Fault {
    /// The place as the decoder writes it, on one line and cut if it is long.
    fileprivate var shownPlace: String { place.oneLine(most: DocumentDecoder.maxPlaceLength) }

    /// Whether other findings say the same: one at the same place, or, of a fault without an exact place, one within it.
    fileprivate func isSaid(by places: Set<String>) -> Bool {
        let place = shownPlace
        return places.contains(place)
            || isVague && places.contains { $0.hasPrefix("\(place).") || $0.hasPrefix("\(place)[") }
    }
}

extension Finding {
    fileprivate var order: (Int, Int) { (position?.line ?? .max, position?.column ?? .max) }
}
