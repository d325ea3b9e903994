extension EventPipeline {
    /// Moves tracked events to the storage, and lets their namespaces' delivery know.
    func drain() {
        defer { reportRefused() }
        var contents = queue.take()
        guard !contents.batches.isEmpty else { return }
        let emitters = openEmitters()
        var result: Result<Void, EventStoreError> = .success(())
        let isSynced = !contents.waiters.isEmpty
        contents.batches.reverse()
        // Taken out one by one: a batch that the list held too would be copied when it is emptied.
        while var batch = contents.batches.popLast() {
            let stored = storage.append(batch, isSynced: isSynced) { emitters[$0].takeSession() }
            if case .failure(let error) = stored { result = .failure(error) }
            batch.removeAll()
            queue.recycle(batch)
        }
        for waiter in contents.waiters { waiter.resume(returning: result) }
        applyChanges()
        if time.uptime - lastSweep >= Self.sweepInterval { sweep() }
        reopenStorage()
    }

    /// Opens the store on disk if that failed before.
    func reopenStorage() {
        storage.reopen()
        applyChanges()
    }

    /// Adds the namespaces of new emitters to the storage.
    /// - Returns: All emitters, by their index.
    @discardableResult
    func openEmitters() -> [NamespaceEmitter] {
        let all = emitters.withLock { $0.all }
        if storage.count < all.count {
            storage.add(all[storage.count...].map(\.namespace)) { recipient(all[$0]) }
            applyChanges()
        }
        return all
    }

    /// Counts what became of events in the storage, and lets their namespaces' delivery know.
    func applyChanges() {
        var changes = storage.takeChanges()
        // To follow one change may lead to others.
        while !changes.isEmpty {
            for (namespace, change) in changes { follow(change, emitter(for: namespace)) }
            changes = storage.takeChanges()
        }
        guard storage.isAdoptionDue else { return }
        storage.isAdoptionDue = false
        adoptSoon()
    }

    private func follow(_ change: EventStorage.Change, _ emitter: NamespaceEmitter) {
        openEmitters()
        switch change {
        case .stored: enforceBounds(emitter)
        case .found(let count): emitter.countRecovered(count)
        case .adopted(let count):
            emitter.countRecovered(count)
            enforceBounds(emitter)
        case .lost(let count, let reason, let detail):
            emitter.countDropped(count, reason)
            reportLoss(emitter, reason, count, detail)
        }
        deliver(emitter) { $0.eventsChanged(queued: $1) }
    }

    private func enforceBounds(_ emitter: NamespaceEmitter) {
        storage.enforceBounds(emitter.index, by: emitter.lastSettings?.emitter ?? .builtIn)
    }

    /// Lets the events of all namespaces expire, those without a tracker too, by the age that it last had.
    func sweep() {
        lastSweep = time.uptime
        do throws(EventStoreError) {
            for namespace in try storage.namespaces() { _ = emitter(for: namespace) }
        } catch {
            log.error("unsent events could not be looked through for old ones: \(error.reason)")
        }
        for emitter in openEmitters() { enforceBounds(emitter) }
        applyChanges()
    }
}
