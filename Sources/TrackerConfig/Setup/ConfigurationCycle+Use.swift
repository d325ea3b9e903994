extension ConfigurationCycle {
    /// What an update carries to those who asked for it.
    typealias Use = (ConfigurationOutcome, ConfigurationUpdate?)

    /// Judges a document and applies it where it is to be used.
    /// - Parameters:
    ///   - document: The document.
    ///   - fetched: What it was read from.
    ///   - before: The trackers as they were just before, where the document is to be watched.
    /// - Returns: How it ended, and the update where there is one.
    /// - Throws: Where it cannot be applied; nothing is changed then.
    func use(
        _ document: Document, _ fetched: FetchedDocument, before: [String: Bake.Observation]
    ) throws(ConfigurationError) -> Use {
        let version = document.version
        guards.own.refresh()
        let versions = guards.own
        let adoption = Adoption.judge(
            version: version, digest: document.digest, active: active?.adoption(for: scope.url),
            defaultVersion: scope.ladder.defaultVersion, floor: versions.floor
        ) { versions.objection(to: document, fetched.bytes, hasOther: active != nil) }
        note(guards.takeWarnings())
        held = nil
        switch adoption {
        case .stale: return (.stale(version: version), nil)
        case .held(let reason):
            let outcome = ConfigurationOutcome.held(version: version, reason: reason)
            // Without validators the next request is by the active document's, or unconditional.
            if fetched.validators != Validators() { held = Held(validators: fetched.validators, outcome: outcome) }
            return (outcome, nil)
        case .unchanged(let isOtherContent):
            // The same document under a new tag: the next fetch may ask by it.
            if active?.document?.digest == document.digest { active?.validators = fetched.validators }
            return (.unchanged(version: version, isOtherContent: isOtherContent), nil)
        case .adopted: return try apply(document, fetched, before: before)
        }
    }

    private func apply(
        _ document: Document, _ fetched: FetchedDocument, before: [String: Bake.Observation]
    ) throws(ConfigurationError) -> Use {
        let earlier = Set(parts.registry.trackers.keys)
        let now = parts.time.wallTime
        let previous = active
        let current = ActiveConfiguration(
            .fetched, document, fetched.bytes, fetched.validators, url: scope.url, at: now)
        let applied = try parts.activate(current, after: previous, &guards)
        active = current
        cache(current, after: previous, guards.own)
        followWatch()
        // What was being watched has not proved itself; what was before it has.
        let good = bake == nil ? previous : lastGood
        endBake()
        if let rollout = document.rollout {
            begin(
                Bake(version: document.version, rollout: rollout, start: now, before: before), after: good,
                adding: Set(applied.namespaces).subtracting(earlier))
        }
        let update = update(current, applied, warnings: document.warnings)
        parts.fleet.applied(current, after: previous?.version)
        deliver(update)
        return (.applied(version: document.version, namespaces: applied.namespaces), update)
    }

    /// Keeps a document for later starts of its user.
    /// - Parameters:
    ///   - configuration: The document.
    ///   - previous: What was in use before it.
    ///   - versions: The guard of the document's URL.
    func cache(_ configuration: ActiveConfiguration, after previous: ActiveConfiguration?, _ versions: VersionGuard) {
        guard let version = configuration.version, let url = configuration.url else { return }
        let entry = CacheEntry(
            url: url, version: version, document: configuration.text,
            validators: configuration.validators ?? Validators(), fetchTime: configuration.time)
        do throws(FileError) {
            try parts.scopes.cache.store(entry) { current in
                // What is still being watched has not proved itself.
                if bakedURL == url, bake?.version == current.version { return false }
                // Most often it is the one that was in use, which need not be read again.
                let known = previous?.text == current.document ? previous?.document : nil
                // What this process would not start with is nothing to go back to; what it cannot read is neither.
                guard let document = known ?? (try? Document(current.document)) else { return false }
                return versions.objection(to: document, current.document, hasOther: true) == nil
            }
        } catch {
            note([ConfigurationWarning(place: "cache", reason: "the document was applied but not cached: \(error)")])
        }
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

    func deliver(_ update: ConfigurationUpdate) {
        show()
        for warning in update.warnings { parts.log.warning("\(warning)") }
        guard !isStopped else { return }
        parts.onSuccess(update)
        parts.features.store.listeners.tell()
        parts.broadcast.send(.update(update))
    }
}
