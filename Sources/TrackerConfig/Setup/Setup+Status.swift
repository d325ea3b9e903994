import FoundationEssentials
import TrackerFeatures

extension Setup {
    /// The current state of the setup.
    ///
    /// It returns immediately, with the state that the setup's threads last published: it does not wait for a fetch, a
    /// store or a callback.
    public var status: SetupStatus {
        var process = identity
        process.processID = Int(ProcessInfo.processInfo.processIdentifier)
        let time = Date(milliseconds: pipeline.now)
        let published = updater.status
        process.instanceID = updater.parts.versions.instanceID
        var status = SetupStatus(time: time, process: process)
        status.isStopped = published.isStopped
        status.document = DocumentStatus(published, updater.parts.remote)
        if let fault = experiments.clock.fault {
            status.document.warnings.insert(ConfigurationError(.warning, place: "schedules", reason: fault), at: 0)
        }
        status.rollout = RolloutStatus(
            published.lifecycle, instanceID: process.instanceID, at: time, uptime: pipeline.uptime)
        let (outcomes, contact) = (published.lifecycle.outcomes, published.lifecycle.contact)
        status.streaming = StreamStatus(published.lifecycle.stream)
        if contact.isLost { status.document.staleSince = Date(milliseconds: contact.last.time) }
        (status.changes, status.pending, status.fetches) = (outcomes.changes, outcomes.pending, outcomes.counts)
        status.outage = outcomes.outage
        status.lastFetchTime = outcomes.lastFetch.map(Date.init(milliseconds:))
        status.nextFetchTime = status.isStopped ? nil : outcomes.nextPoll.map(Date.init(milliseconds:))
        status.heldVersions = updater.parts.versions.heldVersions
        status.add(features.overrides.changes)
        status.isFetching = published.isFetching
        status.pollIntervalSeconds = updater.parts.remote.pollInterval.map { $0 / .seconds(1) }
        let (trackers, kept) = registry.standing
        status.trackers = trackers.sorted { $0.key < $1.key }.map { namespace, tracker in
            var status = tracker.lastStatus
            status.isKept = kept.contains(namespace)
            if let cause = registry.cause(of: status) {
                (status.failingSinceVersion, status.failingSinceSettings) = (cause.version, cause.settings)
            }
            return status
        }
        status.eventStoreFailure = pipeline.current?.storeFailure.map {
            EventStoreFailure(since: Date(milliseconds: $0.time), text: $0.text)
        }
        let unclaimed = pipeline.current?.unclaimed.withLock { $0 } ?? [:]
        status.unclaimed = unclaimed.values.map(\.oldest).min().map { oldest in
            SetupStatus.Unclaimed(
                count: unclaimed.values.reduce(0) { $0 + $1.count }, oldest: Date(milliseconds: oldest),
                namespaces: unclaimed.keys.map(\.text).sorted())
        }
        // Without trackers there are no events.
        if pipeline.current != nil, let missingStore { status.eventStoreFailure = missingStore }
        let layers = features.store.layers
        status.overrides = layers.overrideEntries.map(layers.listed)
        status.untracked = registry.untracked.total
        status.issues =
            registry.untracked.all.map { CodeIssue($0, .untracked) }
            + features.store.unknownNames.counter.all.map { CodeIssue($0, .unknownName) }
            + features.store.failures.counter.all.map { CodeIssue($0, .unreadable) }
            + trackers.values.flatMap(\.malformedSchemas).map { CodeIssue($0, .malformedSchema) }
            .sorted { ($1.count, $0.text) < ($0.count, $1.text) }
        status.conclude()
        return status
    }

    /// Returns the identity of the process that creates a setup.
    static func identity(_ options: SetupOptions, _ state: StateLocation) -> ProcessIdentity {
        let hasOwnCache = options.cache != nil
        return ProcessIdentity(
            service: state.service, host: ProcessInfo.processInfo.hostName,
            processID: Int(ProcessInfo.processInfo.processIdentifier), startTime: options.time.now,
            sdkVersion: TrackerVersion.number, stateDirectory: state.path,
            cacheDirectory: hasOwnCache ? nil : options.cacheDirectory ?? StandardDirectory.cache.path())
    }
}

extension SetupStatus {
    /// Merges changes of overrides by time. Each list keeps its own order, because the clock may have been set.
    fileprivate mutating func add(_ overrides: [OverrideChange]) {
        var others = changes[...]
        changes = []
        for change in overrides {
            while let other = others.first, other.lastTime > change.lastTime { changes.append(others.removeFirst()) }
            changes.append(ConfigurationChange(change))
        }
        changes += others
    }
}

extension CodeIssue {
    fileprivate init(_ miss: (text: String, count: Int), _ kind: Kind) {
        self.init(kind: kind, text: miss.text, count: miss.count)
    }
}

extension DocumentStatus {
    fileprivate init(_ published: ConfigurationUpdater.Status, _ remote: RemoteConfiguration) {
        // The URL was valid when the setup was created.
        source = (try? remote.url).map { EndpointURL.withoutSecrets($0.text) }
        user = remote.user
        guard let active = published.lifecycle.active else { return }
        (state, version) = (active.state, active.version)
        since = Date(milliseconds: published.lifecycle.activeSince)
        (warnings, meta) = (active.warnings, active.meta)
        if active.document != nil { fetchTime = Date(milliseconds: active.time) }
    }
}

extension FeatureLayers {
    /// Returns an override with the value of the document in use.
    fileprivate func listed(_ entry: FeatureOverride) -> FeatureOverride {
        var entry = entry
        entry.documentValue = documentValue(of: entry)
        return entry
    }

    private func documentValue(of entry: FeatureOverride) -> JSONValue? {
        guard let feature = entry.feature else { return nil }
        guard let variable = entry.variable else {
            return candidates(.enabled(feature)).first { $0.source.isRemote }?.value
        }
        let key = VariableKey(feature, variable)
        guard !isSecret(key) else { return nil }
        return candidates(.variable(key)).first { $0.source.isRemote }?.value
    }
}
