import FoundationEssentials

extension FeatureOverrides {
    /// Replaces the overrides by those of the file; ``FeatureListeners/deliver()`` must be called next.
    ///
    /// Overrides that could not be written stay in effect, and a missing file changes nothing.
    /// - Returns: Warnings about the file.
    /// - Throws: If the file cannot be read or parsed.
    func load() throws -> [ConfigurationError] {
        guard let file = file?.resolved else { return [] }
        var (old, expired, warnings) = (FeatureLayers?.none, [FeatureOverride](), [ConfigurationError]())
        do {
            // Without a lock, as in a missing or read-only directory, the file is still read as a whole.
            let lock = try? file.lock()
            defer { withExtendedLifetime(lock) {} }
            if var overrides = try file.read(&warnings) {
                let now = time.wallTime
                expired = overrides.inOrder.filter { $0.isExpired(at: now) }
                old = store.change { contents in
                    overrides.takeUnsaved(from: contents.overrides)
                    overrides.removeExpired(at: now)
                    contents.overrides = overrides
                }
            }
        }
        let isStart = history.withLock { history in
            defer { history.hasLoaded = true }
            return !history.hasLoaded
        }
        guard let old else {
            if store.layers.overrides.count > 0 {
                log.warning("overrides: the file \(file.path) is missing; keeping the current overrides")
            }
            return warnings
        }
        let new = store.layers
        if isStart {
            noteStart(of: new.overrides.inOrder, in: (old, new))
        } else {
            note(new.overrides.changes(since: old.overrides), .file, in: (old, new))
        }
        for override in expired where old.overrides[override.target] == nil {
            log.info(OverrideChange(override, nil, .expiry, in: (old, new), at: time.now).line)
        }
        if expired.isEmpty { awaitExpiry() } else { removeExpired(at: time.wallTime) }
        return warnings
    }

    /// Adds the overrides of the file at the start to the history, each with the time when it was set.
    private func noteStart(of overrides: [FeatureOverride], in layers: (old: FeatureLayers, new: FeatureLayers)) {
        let changes = overrides.compactMap { override in
            override.time.map { OverrideChange(nil, override, .start, in: layers, at: $0) }
        }
        history.withLock { $0.add(changes.sorted { $0.lastTime < $1.lastTime }) }
    }

    /// Describes why the file was not read, and the consequence for the overrides.
    func words(of error: any Error) -> String {
        let place = (error is ConfigurationError ? file.map { "\($0.path): " } : nil) ?? ""
        return "\(place)\(error); keeping the current overrides"
    }
}
