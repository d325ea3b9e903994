extension EventPipeline {
    /// Moves tracked events to the storage, and lets their namespaces' delivery know.
    func drain() {
        defer { reportRefused() }
        if !storage.leftovers.isEmpty { replayStaged() }
        var contents = queue.take()
        guard !contents.isEmpty else { return }
        let emitters = openEmitters()
        var result: Result<Void, EventStoreError> = .success(())
        let isSynced = !contents.waiters.isEmpty
        if !contents.portions.isEmpty {
            var batch = contents.stagedEvents(in: queue.makeBatch(), namespaces: emitters.count)
            let neighbour = batch.rows.first.map { emitters[$0.namespace].namespace }
            storage.loseStaged(contents.stagedCount - batch.rows.count, of: neighbour, isOwn: true)
            let stored = storage.append(batch, from: contents.portions, isSynced: isSynced) {
                emitters[$0].takeSession()
            }
            if case .failure(let error) = stored { result = .failure(error) }
            batch.removeAll()
            queue.recycle(batch)
        }
        contents.batches.reverse()
        // Taken out one by one: a batch that the list held too would be copied when it is emptied.
        while var batch = contents.batches.popLast() {
            let stored = storage.append(batch, isSynced: isSynced) { emitters[$0].takeSession() }
            if case .failure(let error) = stored { result = .failure(error) }
            batch.removeAll()
            queue.recycle(batch)
        }
        reportUnstaged()
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

    /// Stores what a dead process left in the slot's staging file.
    func replayStaged() {
        openEmitters()
        storage.replayLeftovers()
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
        if let staging = storage.staging, !isClosed { queue.use(staging) }
        queue.release(storage.takeSettled())
        if storage.needsFreshSegments {
            storage.needsFreshSegments = false
            queue.beginSegments()
        }
        guard storage.isAdoptionDue else { return }
        storage.isAdoptionDue = false
        adoptSoon()
    }

    private func follow(_ change: EventStorage.Change, _ emitter: NamespaceEmitter) {
        openEmitters()
        switch change {
        case .stored: enforceBounds(emitter)
        case .found(let count):
            emitter.countRecovered(count)
            publishOldest(of: emitter)
        case .adopted(let count):
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
