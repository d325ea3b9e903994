import TrackerAccessors
package import TrackerConfig
import TrackerFeatures

/// The result of reading a document completely with the SDK's own reader.
package struct Validation {
    package let file: String
    /// The document; nil if a service cannot use it.
    package let document: Document?
    /// The version; nil if it cannot be read.
    package let version: Int?
    /// The errors, in the order of the text.
    package let errors: [ConfigurationError]
    /// The warnings, in the order of the text, followed by the effects in a service.
    package let warnings: [ConfigurationError]

    /// The default limit of the size of a fetched document, in bytes.
    package static let maxDocumentSize = RemoteConfiguration(endpoint: "").maxDocumentSize

    /// Validates a file.
    /// - Parameters:
    ///   - text: The document's bytes.
    ///   - name: The name of its file in reports.
    ///   - purpose: The use of the document.
    ///   - maxDocumentSize: The maximum size of a document that the service fetches, in bytes; nil for no limit.
    ///   - expected: The features that code reads; nil, the default, for none.
    package init(
        _ text: [UInt8], named name: String, purpose: Document.Purpose = .remote, maxDocumentSize: Int? = nil,
        against expected: ExpectedFeatures? = nil
    ) {
        let findings = Document.Findings(text, purpose: purpose)
        (file, document, version) = (name, findings.document, findings.version)
        var errors = findings.errors
        var warnings = findings.warnings.map(\.withSuggestion)
        if text.isEmpty { errors = errors.map { $0.saying("the file is empty") } }
        if let maxDocumentSize, text.count > maxDocumentSize {
            let reason = "\(text.count) bytes, and a service fetches no document larger than \(maxDocumentSize) bytes"
            errors.append(ConfigurationError(.outOfRange, place: "", reason: reason))
        }
        // If the text is not JSON, the decoder has reported it.
        if let expected, let node = try? JSONReader.read(text) {
            let findings = expected.findings(in: node, text)
            errors += findings.errors
            warnings += findings.warnings
        }
        self.errors = errors.sorted { $0.order < $1.order }
        // The service's author knows the default, and a service does not warn about it at run time either.
        let caveats = (document?.caveats ?? []) + (purpose == .remote ? document?.unencryptedCollectors ?? [] : [])
        self.warnings =
            warnings + caveats + (document?.advice ?? [])
            + AccessorFile(document?.features ?? [], of: text).faults.map {
                $0.saying("accessors cannot be generated: \($0.reason)")
            }
    }

    package var json: JSONObject {
        [
            "file": .string(file), "version": version.map(JSONValue.int) ?? .null,
            "errors": .array(errors.map(\.json)), "warnings": .array(warnings.map(\.json)),
        ]
    }
}

extension ConfigurationError {
    fileprivate var order: (Int, Int) { (position?.line ?? .max, position?.column ?? .max) }

    /// The error with another reason.
    fileprivate func saying(_ reason: String) -> ConfigurationError {
        ConfigurationError(code, place: place, reason: reason, position: position)
    }

    /// The warning; for an unknown key, with a suggestion.
    fileprivate var withSuggestion: ConfigurationError {
        guard reason.hasPrefix("an unknown key"), let key = place.split(separator: ".").last,
            let meant = String(key).closest(in: Self.keys)
        else { return self }
        return saying("\(reason); did you mean '\(meant)'?")
    }

    /// The keys of documents: those of the trackers' sections, and those of all other objects.
    package static let keys: [String] = {
        func names<Section: ConfigurationSection>(_ section: Section.Type) -> [String] {
            [section.key] + section.fields.filter(\.isInDocuments).flatMap { [$0.name] + $0.aliases }
        }
        let others =
            """
            $schema bakeSeconds bucketVersion by condition configurationBundle configurationVersion countries coverage
            description disabled enabled encrypted end experiment experiments fallbackUnit feature features filters
            force gate generatedName group hashVersion id languages maxFailureRate meta metadata minBucketVersion name
            namespace passthrough percent prerequisites range ranges rate requires rollout rules seed segments start
            sticky title unit value values variables variants weight
            """
        return ConfigurationBundle.sections.flatMap { names($0) } + others.split(separator: /\s+/).map(String.init)
    }()
}

extension Document {
    /// Warnings about valid settings, including those without effect in a service.
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
        return settings + collectorsWithPath + idleRules
    }

    /// Warnings about usable rules and experiments that may not mean what their author intended.
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

    /// Warnings about collectors whose URL includes a tracker's POST path, which trackers add themselves.
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

    /// Warnings about collectors without encryption, except those on the service's own machine.
    fileprivate var unencryptedCollectors: [ConfigurationError] {
        bundles.enumerated().compactMap { index, bundle in
            // An unusable collector is reported separately.
            guard let origin = bundle.network?.endpoint.flatMap({ try? EndpointURL(collector: $0).origin }),
                origin.scheme == "http", !origin.isLoopback
            else { return nil }
            return ConfigurationError(
                .warning, place: "configurationBundle[\(index)].networkConfiguration.endpoint",
                reason: "\(origin) gets events unencrypted; a service that fetches the document by https logs a warning"
            )
        }
    }

    /// Warnings about rules of disabled features.
    private var idleRules: [ConfigurationError] {
        features.filter { $0.isDisabled && !$0.rules.isEmpty }.map { feature in
            ConfigurationError(
                .warning, place: "features.\(feature.name).disabled".oneLine(most: DocumentDecoder.maxPlaceLength),
                reason: "the feature is disabled, so its rules are without effect")
        }
    }
}
