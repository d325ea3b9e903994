import FoundationEssentials

extension FeatureOverrides {
    /// How a change ended that is in effect.
    package struct Outcome: Sendable {
        /// The overrides that were replaced or removed.
        package let previous: [FeatureOverride]

        /// Why the file does not have the change; nil if it has, or if there is no file.
        package let failure: FeatureError?

        func get() throws(FeatureError) {
            if let failure { throw failure }
        }
    }

    /// Sets or removes an override.
    /// - Parameters:
    ///   - value: The value, of the target's type and not null; nil removes the override.
    ///   - target: What to override.
    ///   - details: Who does it, why, and until when.
    /// - Returns: The override that was replaced, and whether the file has the change.
    /// - Throws: ``FeatureError`` if nothing is changed.
    package func set(
        _ value: JSONValue?, for target: OverrideTarget, _ details: OverrideDetails
    ) throws(FeatureError) -> Outcome {
        let now = time.now
        if value != nil, let expiry = details.expiry, expiry.milliseconds <= now.milliseconds || expiry.iso8601 == nil {
            throw FeatureError(
                .invalidExpiry, place: "\(target)",
                reason: "the expiry must be later than now, and no later than the year 9999")
        }
        let known = store.layers.overrides
        guard value == nil || known.value(of: target) != nil || known.count < OverrideSet.maximumCount else {
            throw FeatureError(
                .tooManyOverrides, place: "\(target)",
                reason: "there are \(OverrideSet.maximumCount) overrides already; remove some")
        }
        var isSecret = false
        if case .variable(let key) = target { isSecret = store.layers.isSecret(key) }
        if let value { noteUnknown(target, value) }
        let record = OverrideRecord(time: now, details: details, isSecret: isSecret)
        let (old, new, fault) = change { $0.set(value, for: target, record) }
        let previous = old.overrideEntry(of: target)
        if value != nil || previous != nil {
            let cause = value == nil ? OverrideChange.Cause.removal(by: details.bounded.by) : .setting(details)
            note([OverrideChange(target: target, cause: cause, old: old, new: new)])
        }
        store.listeners.tell()
        return Outcome(previous: previous.map { [$0] } ?? [], failure: fault.map { Self.notKept("\(target)", $0) })
    }

    /// Writes changes that happened at once to the log and to the history.
    private func note(_ changes: [OverrideChange]) {
        for change in changes { log.info("\(change)") }
        let events = OverrideChange.events(of: changes, at: time.now)
        history.withLock { $0.add(events) }
    }

    /// Counts and logs an override of something that no source has.
    func noteUnknown(_ target: OverrideTarget, _ value: JSONValue) {
        let layers = store.layers
        guard layers.isComparable else { return }
        let fault: String? =
            switch target {
            case .enabled(let feature): layers.has(feature.text) ? nil : "no source has this feature"
            case .variable(let key): layers.hasVariable(key) ? nil : "no source has this variable"
            case .variant(let id):
                if let experiment = layers.experiments.experiment(id.text)?.experiment {
                    experiment.variants.contains { value.string?.isExactly($0.name) ?? false }
                        ? nil : "the experiment has no variant \(value.string?.excerpt ?? "") and ignores the override"
                } else {
                    "no source has this experiment"
                }
            }
        guard let fault else { return }
        let line = "override of \(OverrideChange.name(of: target)): \(fault)"
        unknownNames.count(line, log, line)
    }

    /// Removes all overrides.
    /// - Parameter author: Who removes them.
    /// - Returns: The overrides that were removed, and whether the file has the change.
    package func clear(by author: String?) -> Outcome {
        let (old, new, fault) = change { $0 = OverrideSet() }
        let cause = OverrideChange.Cause.removal(by: OverrideDetails(by: author).bounded.by)
        note(old.overrides.targets.map { OverrideChange(target: $0, cause: cause, old: old, new: new) })
        store.listeners.tell()
        return Outcome(previous: old.overrideEntries, failure: fault.map { Self.notKept("overrides", $0) })
    }

    /// Takes what the file says, in the place of all that was set and that it had; ``FeatureListeners/tell()`` is to follow.
    ///
    /// What could not be written stays in effect, and a file that is missing changes nothing.
    /// - Returns: What is odd about the file.
    func load() throws -> [ConfigurationError] {
        guard let file else { return [] }
        let now = time.wallTime
        var expired: [OverrideTarget: String] = [:]
        var old: FeatureLayers?
        let warnings = try file.read { set in
            guard var set else { return }
            // Without values: the document that says which are secret may be still to come.
            for target in set.expired(at: now) {
                let expiry = set.records[target]?.details.expiry?.iso8601 ?? "an unknown time"
                expired[target] = "overrides: \(OverrideChange.name(of: target)) expired at \(expiry)"
            }
            set.removeExpired(at: now)
            old = store.exchange { contents in
                set.take(unsaved.withLock { $0 }, from: contents.overrides)
                contents.overrides = set
            }
        }
        let isStart = history.withLock { history in
            defer { history.hasLoaded = true }
            return !history.hasLoaded
        }
        if let old {
            logChanges(since: old, apartFrom: expired)
            noteChanges(since: old, expired, isStart: isStart)
            store.retire(old)
        } else if !store.layers.overrides.targets.isEmpty {
            log.warning("overrides: the file \(file.path) is missing; keeping the current overrides")
        }
        for (_, line) in expired.sorted(by: { $0.key < $1.key }) { log.info(line) }
        if !expired.isEmpty { removeExpired(from: file, at: now) }
        awaitExpiry()
        return warnings
    }

    /// Why the file was not read, and what became of the overrides.
    func words(of error: any Error) -> String {
        let kept = "keeping the current overrides"
        guard let file, let error = error as? ConfigurationError else { return "\(error); \(kept)" }
        let position = error.position.map { " (\($0.line):\($0.column))" } ?? ""
        if error.code == .malformed { return "\(file.path) is not valid JSON\(position): \(error.reason); \(kept)" }
        let place = error.place.isEmpty ? "" : "\(error.place): "
        return "\(file.path)\(position): \(place)\(error.reason); \(kept)"
    }

    /// Logs which overrides a reading of the file has ended or replaced.
    private func logChanges(since old: FeatureLayers, apartFrom expired: [OverrideTarget: String]) {
        let new = store.layers
        for target in old.overrides.targets where expired[target] == nil {
            guard old.overrides.value(of: target) != new.overrides.value(of: target) else { continue }
            log.info("\(OverrideChange(target: target, cause: .file, old: old, new: new))")
        }
    }

    /// Notes in the history what a reading of the file has changed. At the start these are the overrides that the file has,
    /// each at the time when it was set.
    private func noteChanges(since old: FeatureLayers, _ expired: [OverrideTarget: String], isStart: Bool) {
        let new = store.layers
        func changes(_ targets: [OverrideTarget], _ cause: OverrideChange.Cause) -> [OverrideChange] {
            targets.map { OverrideChange(target: $0, cause: cause, old: old, new: new) }
        }
        let changed = Set(old.overrides.targets + new.overrides.targets)
            .filter { expired[$0] == nil && !old.overrides.agrees(with: new.overrides, on: $0) }.sorted()
        var events: [OverrideHistory.Event]
        if isStart {
            events = changes(changed, .start).compactMap(\.startEvent).sorted { $0.lastTime < $1.lastTime }
                .suffix(OverrideHistory.maxEvents)
        } else {
            events = OverrideChange.events(of: changes(changed, .file), at: time.now)
        }
        let ended = old.overrides.targets.filter { expired[$0] != nil }
        events += OverrideChange.events(of: changes(ended, .expiry), at: time.now)
        history.withLock { $0.add(events) }
    }

    /// Removes what has expired from the file. Until then each reader leaves it out.
    private func removeExpired(from file: OverridesFile, at now: Int64) {
        var warnings: [ConfigurationError] = []
        do throws(FileError) {
            try file.change(at: now, &warnings, inEffect: { store.layers.overrides }) { _ in }
        } catch {
            logStillInFile(error)
        }
        warn(warnings)
    }

    private func logStillInFile(_ fault: FileError) {
        log.warning("overrides: what expired is still in the file: \(fault)")
    }

    private func warn(_ warnings: [ConfigurationError]) {
        for warning in warnings { log.warning("overrides: \(warning)") }
    }

    /// Removes the overrides whose time is over.
    func removeExpired() {
        let now = time.wallTime
        guard !store.layers.overrides.expired(at: now).isEmpty else { return awaitExpiry() }
        var expired: [OverrideTarget] = []
        let (old, new, fault) = change { set in
            // Of its runs the last one is for what is in effect. Another thread may have set an override again.
            expired = set.expired(at: now)
            set.removeExpired(at: now)
        }
        note(expired.map { OverrideChange(target: $0, cause: .expiry, old: old, new: new) })
        if let fault { logStillInFile(fault) }
        store.listeners.tell()
    }

    /// Changes what is in effect and the file; ``FeatureListeners/tell()`` is to follow, outside all locks, because a
    /// listener may set overrides too.
    /// - Parameter edit: The change; runs inside a lock, for the file and for what is in effect.
    /// - Returns: What was in effect before and is now, and why the file does not have the change.
    private func change(
        _ edit: (inout OverrideSet) -> Void
    ) -> (old: FeatureLayers, new: FeatureLayers, fault: FileError?) {
        var replaced: FeatureLayers?
        var fault: FileError?
        var warnings: [ConfigurationError] = []
        do throws(FileError) {
            // In the order of the file, which the lock of the file gives.
            var written: OverrideSet?
            try file?.change(
                at: time.wallTime, &warnings, inEffect: { store.layers.overrides }
            ) { set in
                let inEffect = store.layers.overrides
                set.take(unsaved.withLock { $0 }, from: inEffect)
                edit(&set)
                replaced = exchange(edit)
                written = store.layers.overrides
            }
            if let written {
                // Another thread may have changed something again, in vain.
                let now = store.layers.overrides
                unsaved.withLock { $0 = $0.filter { !written.agrees(with: now, on: $0) } }
            }
        } catch {
            fault = error
        }
        let old = replaced ?? exchange(edit)
        store.retire(old)
        warn(warnings)
        awaitExpiry()
        return (old, store.layers, fault)
    }

    /// Changes what is in effect, and notes that the file does not have it yet.
    private func exchange(_ edit: (inout OverrideSet) -> Void) -> FeatureLayers {
        store.exchange { contents in
            let old = contents.overrides
            edit(&contents.overrides)
            guard file != nil else { return }
            let new = contents.overrides
            let changed = Set(old.targets + new.targets).filter { !old.agrees(with: new, on: $0) }
            unsaved.withLock { $0.formUnion(changed) }
        }
    }

    private static func notKept(_ place: String, _ fault: FileError) -> FeatureError {
        FeatureError(
            .notKept, place: place, reason: "the override is in effect, but ends with the process: \(fault)",
            cause: fault)
    }
}
