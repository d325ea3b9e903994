import FoundationEssentials

extension FeatureOverrides {
    /// The result of a change that is in effect: the overrides that were replaced or removed, and the error if the
    /// change could not be written to the file; nil if it was, or if there is no file.
    package typealias Outcome = (previous: [FeatureOverride], failure: FeatureError?)

    private static func notKept(_ place: String, _ fault: FileError?) -> FeatureError? {
        fault.map {
            FeatureError(
                .notKept, place: place, reason: "the override is in effect, but ends with the process: \($0)", cause: $0
            )
        }
    }

    /// Sets an override.
    /// - Parameter override: The override, with its author, reason and expiry; without a value it is removed.
    /// - Returns: The override that was replaced, and whether the file has the change.
    /// - Throws: ``FeatureError`` if nothing is changed.
    package func set(_ override: FeatureOverride) throws(FeatureError) -> Outcome {
        var override = override
        let now = time.wallTime
        let layers = store.layers
        if override.value != nil {
            if let expiry = override.expiry, expiry.milliseconds <= now || expiry.iso8601 == nil {
                throw FeatureError(
                    .invalidExpiry, place: override.name,
                    reason: "the expiry must be later than now, and no later than the year 9999")
            }
            guard
                layers.overrides[override.target] != nil || layers.overrides.count < Overrides.maximumCount
            else {
                throw FeatureError(
                    .tooManyOverrides, place: override.name,
                    reason: "there are \(Overrides.maximumCount) overrides already; remove some")
            }
            noteUnknown(override)
        }
        // The file has the same precision.
        override.time = Date(milliseconds: now)
        override.expiry = override.expiry.map { Date(milliseconds: $0.milliseconds) }
        override.isSecret = override.key.map(layers.isSecret) ?? false
        override.isUnsaved = file != nil
        let (old, fault) = change(.code(by: override.by)) { $0.put(override) }
        store.listeners.deliver()
        let previous = old.overrides[override.target].map(old.entry)
        return (previous.map { [$0] } ?? [], Self.notKept(override.name, fault))
    }

    /// Removes all overrides.
    /// - Parameter author: The author of the removal.
    /// - Returns: The overrides that were removed, and whether the file has the change.
    package func clear(by author: String?) -> Outcome {
        let author = FeatureOverride(by: author).by
        let (old, fault) = change(.code(by: author)) { [file] in $0.removeAll(isUnsaved: file != nil) }
        store.listeners.deliver()
        return (old.overrideEntries, Self.notKept("overrides", fault))
    }

    /// Removes expired overrides.
    func removeExpired() {
        let now = time.wallTime
        guard let next = store.layers.overrides.nextExpiry, next.milliseconds <= now else { return awaitExpiry() }
        removeExpired(at: now)
        store.listeners.deliver()
    }

    /// Removes expired overrides; ``FeatureListeners/deliver()`` must be called next. Readers of the file ignore them
    /// until it is written.
    func removeExpired(at now: Int64) {
        let (_, fault) = change(.expiry) { $0.removeExpired(at: now) }
        if let fault { log.warning("overrides: what expired is still in the file: \(fault)") }
    }

    /// Changes the overrides in effect, the file, the log and the history. ``FeatureListeners/deliver()`` must be called
    /// next, outside all locks, because a listener may set overrides too.
    /// - Parameters:
    ///   - cause: The cause of the change.
    ///   - edit: The change; runs inside locks, once for the overrides of the file and once for those in effect. Both can
    ///     differ, because what other processes have written takes effect with ``Features/reload()`` only.
    /// - Returns: The old layers, and the error if the file could not be written.
    func change(
        _ cause: OverrideChange.Cause, _ edit: (inout Overrides) -> Void
    ) -> (old: FeatureLayers, fault: FileError?) {
        let now = time.wallTime
        var warnings: [ConfigurationError] = []
        var (lock, saved, fault) = (FileLock?.none, Overrides?.none, FileError?.none)
        if let file = file?.resolved {
            do throws(FileError) {
                try StandardDirectory.create(StandardDirectory.parent(of: file.path))
                lock = try file.lock()
                var overrides = try file.readToChange(&warnings) ?? store.layers.overrides
                overrides.takeUnsaved(from: store.layers.overrides)
                overrides.removeExpired(at: now)
                edit(&overrides)
                try file.write(overrides, under: lock)
                saved = overrides
            } catch {
                fault = error
            }
        }
        // The changes take effect in the order of the file, whose lock is held.
        var new = Overrides()
        let old = store.change { contents in
            new = contents.overrides
            edit(&new)
            if let saved { new.noteSaved(saved) }
            contents.overrides = new
        }
        withExtendedLifetime(lock) {}
        lock = nil
        for warning in warnings { log.warning("overrides: \(warning)") }
        note(new.changes(since: old.overrides), cause, in: (old, store.layers))
        awaitExpiry()
        return (old, fault)
    }

    /// Adds simultaneous changes to the log and to the history.
    func note(
        _ changes: [(before: FeatureOverride?, after: FeatureOverride?)], _ cause: OverrideChange.Cause,
        in layers: (old: FeatureLayers, new: FeatureLayers)
    ) {
        let now = time.now
        let changes = changes.map { OverrideChange($0.before, $0.after, cause, in: layers, at: now) }
        for change in changes { log.info(change.line) }
        history.withLock { $0.add(OverrideChange.rows(of: changes)) }
    }
}
