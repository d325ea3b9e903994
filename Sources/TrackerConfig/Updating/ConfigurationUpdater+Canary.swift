extension ConfigurationUpdater {
    /// The trackers as they are, where a document asks to be watched; while another one is watched, as they were before it.
    func observations(for document: Document) async -> [String: CanaryMonitor.Observation] {
        guard document.rollout != nil else { return [:] }
        let now = await observations()
        guard let bake else { return now }
        return bake.before.reduce(into: [:]) { result, entry in
            let requests = now[entry.key]?.health.requests.total
            result[entry.key] = CanaryMonitor.Observation(
                collectors: entry.value.collectors, health: entry.value.health, requests: requests)
        }
    }

    private func observations() async -> [String: CanaryMonitor.Observation] {
        var observations: [String: CanaryMonitor.Observation] = [:]
        for (namespace, tracker) in parts.registry.trackers {
            observations[namespace] = CanaryMonitor.Observation(
                collectors: tracker.collectors, health: await tracker.health)
        }
        return observations
    }

    /// Goes on with the watch of a cached document that an earlier process began.
    func resumeBake() {
        guard let active, active.state == .cached, let document = active.document, let rollout = document.rollout
        else { return }
        let (good, warnings) = scope.chain.highest(excluding: active, guards)
        note(warnings)
        let collectors = parts.registry.collectors(good?.document)
        let quiet = TrackerHealth(counters: TrackerCounters())
        let before = collectors.mapValues { CanaryMonitor.Observation(collectors: $0, health: quiet) }
        begin(
            CanaryMonitor(version: document.documentVersion, rollout: rollout, start: active.time, before: before),
            after: good,
            adding: parts.registry.namespaces.subtracting(before.keys.map(ExactText.init)))
    }

    /// Watches the trackers under a document.
    /// - Parameters:
    ///   - bake: The watch.
    ///   - good: What there is to go back to.
    ///   - namespaces: The trackers that only the document has.
    func begin(_ bake: CanaryMonitor, after good: ActiveConfiguration?, adding namespaces: Set<ExactText>) {
        endBake()
        guard bake.end > parts.time.wallTime else { return }
        // A configuration without trackers would lose every event.
        guard let good, !parts.registry.collectors(good.document).isEmpty else {
            return parts.log.warning("version \(bake.version) is not watched: there is nothing to go back to")
        }
        self.bake = bake
        lastGood = good
        bakedNamespaces = namespaces
        bakedURL = active?.url
        bakeTask = Task { [weak self, time = parts.time] in
            while await time.sleepsToTheEnd(of: bake.interval) {
                guard await self?.look() == true else { return }
            }
        }
    }

    func endBake() {
        bakeTask?.cancel()
        (bake, bakeTask, lastGood, bakedNamespaces, bakedURL) = (nil, nil, nil, [], nil)
    }

    /// Looks at the trackers once.
    /// - Returns: Whether there is anything left to watch.
    func look() async -> Bool {
        let trackers = await observations()
        // Meanwhile another document may have been applied.
        guard !Task.isCancelled, !isStopped, var bake else { return false }
        let verdict = bake.judge(trackers, now: parts.time.wallTime)
        self.bake = bake
        // One process of an instance speaks for all of them.
        guards[active].refresh()
        if let document = active?.document, let reason = guards[active].reversion(of: document) {
            revert(reason)
            return false
        }
        switch verdict {
        case .goesOn: return true
        case .passed:
            parts.log.info("version \(bake.version) passed its bake time")
            endBake()
        case .failed(let reason): revert(reason)
        }
        return false
    }

    private func revert(_ reason: String) {
        guard let bad = active, let document = bad.document, var good = lastGood else { return }
        let added = bakedNamespaces
        endBake()
        guards.abandonWatch()
        guards[bad].reverted(document, reason: reason)
        let applied: TrackerRegistry.Application
        do throws(ConfigurationError) {
            applied = try parts.apply(good, after: bad, removing: added)
        } catch {
            return parts.log.error("version \(document.documentVersion) is bad (\(reason)) and stays: \(error)")
        }
        good.state = .reverted
        active = good
        let held = Use(Objection(.reverted, "it was reverted: \(reason)"), version: document.version)
        if bad.url == scope.url, let validators = bad.validators, validators != Validators() {
            self.held = Held(validators: validators, use: held)
        }
        let place = "version \(document.documentVersion)"
        let warnings = [ConfigurationWarning(place: place, reason: "reverted: \(reason)")]
        parts.fleet.reverted(from: document.version, to: good, reason: reason)
        deliver(update(good, applied, warnings: warnings + (good.document?.warnings ?? [])))
    }
}
