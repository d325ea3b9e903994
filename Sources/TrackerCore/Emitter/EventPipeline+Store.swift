extension EventPipeline {
    /// Moves tracked events to the store, and notifies the delivery of their namespaces.
    func drain() {
        let contents = intake.drain()
        guard !contents.isEmpty else { return }
        openPartitions()
        let byIndex = emitters.withLock { $0.byIndex }
        let result = store.accept(contents, isSynced: !contents.waiters.isEmpty) { byIndex[$0]?.owner?.sessionRecord }
        for waiter in contents.waiters { waiter.finish(result) }
        store.reopen()
        applyChanges()
        if time.uptime - lastSweep >= Self.sweepInterval { sweep() }
        // The thread polls while events arrive, so that trackers need not wake it, and stops when there are none.
        drainSoon(withinMilliseconds: Self.commitWindow)
    }

    /// Runs the store's postponed work.
    func doPostponedWork() {
        isPostponedWorkScheduled = false
        store.doPostponedWork()
        applyChanges()
    }

    /// Adds the namespaces of new emitters to the store.
    func openPartitions() {
        // None of them can have ended, because emitters are released only after this step.
        for emitter in emitters.withLock({ $0.takeNew() }) {
            store.addNamespace(emitter.namespace, at: emitter.index, recipient(emitter))
        }
    }

    /// Adds the namespaces of new emitters to the store.
    /// - Returns: The emitters whose namespaces are in the store, in the order of their indexes. Other threads may add
    ///   more meanwhile.
    func openEmitters() -> [NamespaceEmitter] {
        openPartitions()
        let count = store.count
        return emitters.withLock { $0.byIndex[..<count].compactMap(\.self) }
    }

    /// Releases the emitters of namespaces that have had no tracker and no events for a minute.
    ///
    /// An emitter that something else refers to stays, for example because the service keeps a removed tracker.
    func releaseEmitters() {
        let uptime = time.uptime
        // Keep only the indexes, because a reference would prevent the release.
        let due = openEmitters().filter { $0.isIdle(at: uptime) && store.isIdle($0.index) }.map(\.index)
        for index in due {
            store.setRecipient(nil, of: index)
            // Release an ended emitter outside the lock, because its tracker's closures are user code.
            let (emitter, hasEnded) = emitters.withLock { $0.release(index) }
            if hasEnded { store.removeNamespace(index) } else { store.setRecipient(emitter.map(recipient), of: index) }
        }
    }

    /// Counts the outcomes of events in the store, and notifies the delivery of their namespaces.
    func applyChanges() {
        var changes = store.takeChanges()
        // Applying a change may cause others.
        while !changes.isEmpty {
            for (namespace, change) in changes { apply(change, to: emitter(for: namespace)) }
            changes = store.takeChanges()
        }
        let hadFailed = failure.exchange(store.failure) != nil
        if hadFailed != (store.failure != nil) {
            for emitter in openEmitters() { publishUnsent(of: emitter) }
        }
        memoryOnly.exchange(store.memoryOnlyCount)
        if store.hasPostponedWork, !isPostponedWorkScheduled {
            isPostponedWorkScheduled = true
            _ = after(EventStore.retryInterval) { $0.doPostponedWork() }
        }
        guard store.isTakeOverDue else { return }
        store.isTakeOverDue = false
        takeOverSoon()
    }

    private func apply(_ change: EventStore.Change, to emitter: NamespaceEmitter) {
        openPartitions()
        switch change {
        case .stored: enforceBounds(emitter)
        case .found(let count):
            emitter.countRecovered(count)
            enforceBounds(emitter)
            publishOldest(of: emitter)
        case .lost(let count, let reason, let detail):
            emitter.countDropped(count, reason)
            reportLoss(emitter, reason, count, detail)
            publishOldest(of: emitter)
        }
        updateDelivery(of: emitter) { $0.eventsChanged(queued: $1) }
    }

    private func enforceBounds(_ emitter: NamespaceEmitter) {
        store.enforceBounds(emitter.index, by: emitter.lastSettings?.emitter ?? .builtIn)
    }

    /// Drops the expired events of all namespaces; without a tracker, the maximum age of the last tracker applies.
    func sweep() {
        lastSweep = time.uptime
        for namespace in store.namespaces() { _ = emitter(for: namespace) }
        for emitter in openEmitters() { enforceBounds(emitter) }
        applyChanges()
    }

    /// Maintains the store, every 30 s: takes a slot if there is none, drops expired events, and takes over events of
    /// dead processes.
    package func maintain() async {
        guard !isClosed else { return }
        store.maintain()
        applyChanges()
        if time.uptime - lastSweep >= Self.sweepInterval { sweep() }
        // Before the emitters without a tracker end.
        reportDueLosses()
        for emitter in openEmitters() { publishUnsent(of: emitter) }
        releaseEmitters()
        await takeOver()
    }

    /// Takes over waiting events of namespaces that are new here; one search serves all trackers of a document.
    func takeOverSoon() {
        guard store.eventLog.directory != nil, !isTakeOverDue else { return }
        isTakeOverDue = true
        startTakeOver { $0.settings != nil }
    }

    /// Takes over events of this process's namespaces that dead processes of the service left, and counts the others.
    package func takeOver() async {
        takeOverSoon()
        await takeOverTask?.value
    }

    /// Takes over events that dead processes of the service left, and counts the others; runs after earlier take-overs.
    /// - Parameter isOwn: Whether the events of an emitter's namespace are taken over.
    func startTakeOver(where isOwn: @escaping @Sendable (NamespaceEmitter) -> Bool) {
        let former = takeOverTask
        takeOverTask = Task.unbound {
            await former?.value
            isTakeOverDue = false
            guard !isClosed else { return }
            // The same for all files, so that events stay in their order.
            let own = Set(openEmitters().filter(isOwn).map { ExactText($0.namespace) })
            let left = await store.takeOver(of: own) {
                applyChanges()
                await Task.yield()
            }
            applyChanges()
            guard let left else { return }
            unclaimed.exchange(left)
        }
    }
}
