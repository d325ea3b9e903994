/// What a service can fall back to without a network: of the user's own document and then of the one for all users the
/// cached one and the one before it; the default.
struct FallbackChain: Sendable {
    /// The documents' URLs, the highest rung first.
    let urls: [String]
    let cache: any ConfigurationCache
    let `default`: DefaultConfiguration
    let defaultVersion: DocumentVersion?
    /// Checks a document that was fetched earlier.
    let verification: Verification
    let startTime: Int64
    let collectors: CollectorPolicy

    private var hasDefault: Bool { !`default`.isEmpty }

    /// The highest rung that holds.
    /// - Parameters:
    ///   - excluded: A configuration that is not to be used.
    ///   - guards: What this process does not use.
    /// - Returns: The configuration, nil where there is none at all, and what is odd.
    func highest(
        excluding excluded: ActiveConfiguration? = nil, _ guards: VersionGuards
    ) -> (configuration: ActiveConfiguration?, warnings: [ConfigurationWarning]) {
        var warnings: [[ConfigurationWarning]] = []
        for url in urls {
            let (found, more) = cached(url, excluding: excluded, guards, hasOther: true)
            warnings.append(more)
            if found != nil { return (found, Array(warnings.joined())) }
        }
        if hasDefault {
            return (
                ActiveConfiguration(`default`, version: defaultVersion?.number, at: startTime), Array(warnings.joined())
            )
        }
        for (rung, url) in urls.enumerated() {
            let (found, more) = cached(url, excluding: excluded, guards, hasOther: false)
            // What is used after all is not held, and somebody should know why it nearly was.
            let place = found?.document.map { "version \($0.documentVersion)" }
            let told = warnings[rung].map { warning in
                warning.place == place
                    ? ConfigurationWarning(place: warning.place, reason: "used for want of another: \(warning.reason)")
                    : warning
            }
            warnings[rung] = told + more.filter { !warnings[rung].contains($0) }
            if found != nil { return (found, Array(warnings.joined())) }
        }
        return (nil, Array(warnings.joined()))
    }

    private func cached(
        _ url: String, excluding excluded: ActiveConfiguration?, _ guards: VersionGuards, hasOther: Bool
    ) -> (configuration: ActiveConfiguration?, warnings: [ConfigurationWarning]) {
        let versions = guards.known(url)
        var document: Document?
        var held: [ConfigurationWarning] = []
        let (entry, sentences) = cache.entry(for: url) { entry in
            do throws(ConfigurationError) {
                // A key may have been revoked since, and write access to the cache is no right to sign.
                try verification.check(entry.document, entry.headers)
                let candidate = try Document(entry.document)
                if url == excluded?.url, candidate.documentVersion == excluded?.documentVersion { return .passedOver }
                if let objection = versions?.objection(to: candidate, hasOther: hasOther) {
                    let place = "version \(candidate.documentVersion)"
                    held.append(ConfigurationWarning(place: place, reason: "held: \(objection.reason)"))
                    return .passedOver
                }
                do throws(ConfigurationError) {
                    try collectors.check(candidate, entry.document)
                } catch {
                    held.append(
                        ConfigurationWarning(place: "version \(candidate.version)", reason: "held: \(error)"))
                    return .passedOver
                }
                document = candidate
                return .usable
            } catch {
                return .unusable(error.description)
            }
        }
        let warnings = held + sentences.map { ConfigurationWarning(place: "cache", reason: $0) }
        guard let document, let entry,
            VersionDecision.startsCached(document.documentVersion, defaultVersion: defaultVersion)
        else {
            return (nil, warnings)
        }
        let configuration = ActiveConfiguration(
            .cached, document, entry.document, entry.validators, url: url, at: entry.fetchTime)
        return (configuration, warnings)
    }
}
