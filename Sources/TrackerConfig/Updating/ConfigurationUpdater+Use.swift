extension ConfigurationUpdater {
    typealias Use = ConfigurationUse

    /// Judges a document and applies it where it is to be used.
    /// - Parameters:
    ///   - document: The document.
    ///   - fetched: What it was read from.
    ///   - before: The trackers as they were just before, where the document is to be watched.
    /// - Returns: How it ended, and the update where there is one.
    /// - Throws: Where it cannot be applied; nothing is changed then.
    func use(
        _ document: Document, _ fetched: FetchedDocument, before: [String: CanaryMonitor.Observation]
    ) throws(ConfigurationError) -> Use {
        let version = document.version
        guards.own.refresh()
        let versions = guards.own
        let decision = VersionDecision.judge(
            version: document.documentVersion, digest: document.digest, active: active?.decision(for: scope.url),
            defaultVersion: scope.chain.defaultVersion, floor: versions.floor
        ) { versions.objection(to: document, hasOther: active != nil) }
        note(guards.takeWarnings())
        held = nil
        switch decision {
        case .stale: return Use(.stale(version: version))
        case .held(let objection):
            let use = Use(objection, version: version)
            // Without validators the next request is by the active document's, or unconditional.
            if fetched.validators != Validators() { held = Held(validators: fetched.validators, use: use) }
            return use
        case .unchanged(let isOtherContent):
            // The same document under a new tag: the next fetch may ask by it.
            if active?.document?.digest == document.digest { active?.validators = fetched.validators }
            return Use(.unchanged(version: version, isOtherContent: isOtherContent))
        case .apply: return try apply(document, fetched, before: before)
        }
    }

    private func apply(
        _ document: Document, _ fetched: FetchedDocument, before: [String: CanaryMonitor.Observation]
    ) throws(ConfigurationError) -> Use {
        let earlier = parts.registry.namespaces
        let now = parts.time.wallTime
        let previous = active
        let current = ActiveConfiguration(
            .fetched, document, fetched.bytes, fetched.validators, url: scope.url, at: now)
        let applied = try parts.activate(current, after: previous, &guards)
        active = current
        cache(current, fetched.headers, after: previous, guards.own)
        followWatch()
        // What was being watched has not proved itself; what was before it has.
        let good = bake == nil ? previous : lastGood
        endBake()
        if let rollout = document.rollout {
            begin(
                CanaryMonitor(version: document.documentVersion, rollout: rollout, start: now, before: before),
                after: good,
                adding: Set(applied.namespaces.map(ExactText.init)).subtracting(earlier))
        }
        let update = update(current, applied, warnings: document.warnings)
        parts.fleet.applied(current, after: previous?.version)
        deliver(update)
        return Use(.applied(version: document.version, namespaces: applied.namespaces), update)
    }

    /// Keeps a document for later starts of its user.
    /// - Parameters:
    ///   - configuration: The document.
    ///   - headers: The headers that came with it.
    ///   - previous: What was in use before it.
    ///   - versions: The guard of the document's URL.
    func cache(
        _ configuration: ActiveConfiguration, _ headers: [HTTPHeader], after previous: ActiveConfiguration?,
        _ versions: VersionGuard
    ) {
        guard let version = configuration.documentVersion, let url = configuration.url else { return }
        let verification = parts.scopes.verification
        let entry = CacheEntry(
            url: url, version: version.number, document: configuration.text,
            validators: configuration.validators ?? Validators(), fetchTime: configuration.time,
            headers: verification.isWanted ? headers : [], versionEpoch: version.epoch)
        if verification.isWanted { setUnverifiedAside(url, verification) }
        do throws(FileError) {
            try parts.scopes.cache.store(entry) { current in
                // What is still being watched has not proved itself.
                if bakedURL == url, bake?.version == current.documentVersion { return false }
                // Most often it is the one that was in use, which need not be read again.
                let known = previous?.text == current.document ? previous?.document : nil
                // What this process would not start with is nothing to go back to; what it cannot read is neither.
                guard let document = known ?? (try? Document(current.document)) else { return false }
                return versions.objection(to: document, hasOther: true) == nil
            }
        } catch {
            note([ConfigurationWarning(place: "cache", reason: "the document was applied but not cached: \(error)")])
        }
    }

    /// Sets cached documents aside that do not verify: with a higher version they would keep this one out of the cache.
    private func setUnverifiedAside(_ url: String, _ verification: Verification) {
        let (_, sentences) = parts.scopes.cache.entry(for: url) { entry in
            do throws(ConfigurationError) {
                try verification.check(entry.document, entry.headers)
                return .usable
            } catch {
                return .unusable(error.description)
            }
        }
        note(sentences.map { ConfigurationWarning(place: "cache", reason: $0) })
    }

    /// Keeps warnings for the next update; what comes again and again until then is kept once.
    func note(_ warnings: [ConfigurationWarning]) {
        for warning in warnings where !pendingWarnings.contains(warning) {
            pendingWarnings.append(warning)
            parts.log.debug("\(warning)")
        }
    }

    /// What is told of a configuration that was applied.
    func update(
        _ configuration: ActiveConfiguration, _ applied: TrackerRegistry.Application,
        warnings: [ConfigurationWarning]
    ) -> ConfigurationUpdate {
        defer { pendingWarnings = [] }
        return ConfigurationUpdate(
            configuration, namespaces: applied.namespaces, trackers: parts.registry.trackers,
            features: parts.features, warnings: pendingWarnings + guards.takeWarnings() + warnings + applied.warnings)
    }

    /// Delivers an update: to the callback, then to the listeners of features, which were held since the configuration was
    /// applied, then to the sequences.
    func deliver(_ update: ConfigurationUpdate) {
        show()
        for warning in update.warnings { parts.log.warning("\(warning)") }
        guard !isStopped else { return parts.features.store.listeners.release(tells: false) }
        parts.onSuccess(update)
        parts.features.store.listeners.release()
        parts.broadcast.send(.update(update))
    }
}
