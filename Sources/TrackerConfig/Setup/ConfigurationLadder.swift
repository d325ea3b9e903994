/// What a service can fall back to without a network: the cached document, the one before it, the default.
struct ConfigurationLadder: Sendable {
    let url: String
    let cache: any ConfigurationCache
    let `default`: DefaultConfiguration
    let defaultVersion: Int?
    let startTime: Int64

    private var hasDefault: Bool { !`default`.isEmpty }

    /// The highest rung that holds.
    /// - Parameters:
    ///   - excluded: A version that is not to be used.
    ///   - versions: What this process does not use.
    /// - Returns: The configuration, nil where there is none at all, and what is odd.
    func highest(
        excluding excluded: Int? = nil, _ versions: VersionGuard
    ) -> (configuration: ActiveConfiguration?, warnings: [ConfigurationWarning]) {
        let (found, warnings) = highest(excluding: excluded, versions, hasOther: true)
        if found != nil { return (found, warnings) }
        let (any, more) = highest(excluding: excluded, versions, hasOther: hasDefault)
        // What is used after all is not held, and somebody should know why it nearly was.
        let place = any?.document.map { "version \($0.version)" }
        let told = warnings.map { warning in
            warning.place == place
                ? ConfigurationWarning(place: warning.place, reason: "used for want of another: \(warning.reason)")
                : warning
        }
        return (any, told + more.filter { !warnings.contains($0) })
    }

    private func highest(
        excluding excluded: Int?, _ versions: VersionGuard, hasOther: Bool
    ) -> (configuration: ActiveConfiguration?, warnings: [ConfigurationWarning]) {
        var document: Document?
        var held: [ConfigurationWarning] = []
        let (entry, sentences) = cache.entry(for: url) { entry in
            do throws(ConfigurationError) {
                let candidate = try Document(entry.document)
                guard candidate.version != excluded else { return .passedOver }
                if let reason = versions.objection(to: candidate, entry.document, hasOther: hasOther) {
                    let place = "version \(candidate.version)"
                    held.append(ConfigurationWarning(place: place, reason: "held: \(reason)"))
                    return .passedOver
                }
                document = candidate
                return .usable
            } catch {
                return .unusable(error.description)
            }
        }
        let warnings = held + sentences.map { ConfigurationWarning(place: "cache", reason: $0) }
        if let document, let entry, Adoption.startsCached(document.version, defaultVersion: defaultVersion) {
            let configuration = ActiveConfiguration(
                .cached, document, entry.document, entry.validators, at: entry.fetchTime)
            return (configuration, warnings)
        }
        guard hasDefault else { return (nil, warnings) }
        return (ActiveConfiguration(`default`, version: defaultVersion, at: startTime), warnings)
    }
}
