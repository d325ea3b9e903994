extension EventPipeline {
    /// Moves tracked events to the store, and lets their namespaces' delivery know.
    func drain() {
        let contents = intake.take()
        guard !contents.isEmpty else { return }
        openPartitions()
        let places = emitters.withLock { $0.places }
        let result = store.append(contents, isSynced: !contents.waiters.isEmpty) { places[$0]?.tracker?.sessionRecord }
        for waiter in contents.waiters { waiter.finish(result) }
        applyChanges()
        if time.uptime - lastSweep >= Self.sweepInterval { sweep() }
        reopenStore()
        // While events come the thread looks by itself, so that trackers need not wake it; it rests after finding none.
        drainSoon(withinMilliseconds: Self.commitWindow)
    }

    /// Lets the store do in a second what it could not do at once, as long as there is anything.
    private func careSoon() {
        guard !isCareScheduled, store.needsCare else { return }
        isCareScheduled = true
        _ = after(EventStore.careInterval) { $0.care() }
    }

    func care() {
        isCareScheduled = false
        store.care()
        applyChanges()
    }

    /// Takes a slot if that failed before.
    func reopenStore() {
        store.reopen()
        applyChanges()
    }

    /// Adds the namespaces of new emitters to the store.
    func openPartitions() {
        // None of them has ended: that comes after this.
        for emitter in emitters.withLock({ $0.takeNew() }) {
            store.add(emitter.namespace, at: emitter.index, recipient(emitter))
        }
    }

    /// Adds the namespaces of new emitters to the store.
    /// - Returns: The emitters whose namespaces the store has, in the order of their indexes. Other threads may add more
    ///   meanwhile.
    func openEmitters() -> [NamespaceEmitter] {
        openPartitions()
        let count = store.count
        return emitters.withLock { $0.places[..<count].compactMap(\.self) }
    }

    /// Releases the emitters of namespaces that have had no tracker and no events for a minute.
    ///
    /// One that anything else still refers to stays, as that of a removed tracker which the service has kept.
    func releaseEmitters() {
        let uptime = time.uptime
        // No reference may be left.
        let due = openEmitters().filter { $0.isIdle(at: uptime) && store.isIdle($0.index) }.map(\.index)
        for index in due {
            store.setRecipient(nil, of: index)
            // An emitter that has ended is gone after the lock, because its tracker's closures are user code.
            let (emitter, hasEnded) = emitters.withLock { $0.release(index) }
            if hasEnded { store.remove(index) } else { store.setRecipient(emitter.map(recipient), of: index) }
        }
    }

    /// Counts what became of events in the store, and lets their namespaces' delivery know.
    func applyChanges() {
        var changes = store.takeChanges()
        // To follow one change may lead to others.
        while !changes.isEmpty {
            for (namespace, change) in changes { follow(change, emitter(for: namespace)) }
            changes = store.takeChanges()
        }
        let hadFailed = failure.exchange(store.failure) != nil
        if hadFailed != (store.failure != nil) {
            for emitter in openEmitters() { publishUnsent(of: emitter) }
        }
        memoryOnly.exchange(store.memoryOnlyCount)
        careSoon()
        guard store.isTakeOverDue else { return }
        store.isTakeOverDue = false
        takeOverSoon()
    }

    private func follow(_ change: EventStore.Change, _ emitter: NamespaceEmitter) {
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
        deliver(emitter) { $0.eventsChanged(queued: $1) }
    }

    private func enforceBounds(_ emitter: NamespaceEmitter) {
        store.enforceBounds(emitter.index, by: emitter.lastSettings?.emitter ?? .builtIn)
    }

    /// Lets the events of all namespaces expire, those without a tracker too, by the age that it last had.
    func sweep() {
        lastSweep = time.uptime
        for namespace in store.namespaces() { _ = emitter(for: namespace) }
        for emitter in openEmitters() { enforceBounds(emitter) }
        applyChanges()
    }
}
