extension EventPipeline {
    /// Moves tracked events to the storage, and lets their namespaces' delivery know.
    func drain() {
        defer { reportRefused() }
        if !storage.staging.leftovers.isEmpty { replayStaged() }
        let contents = queue.take()
        guard !contents.isEmpty else { return }
        openPartitions()
        let places = emitters.withLock { $0.places }
        let (waiters, unstaged) = (contents.waiters, contents.unstaged)
        let result = storage.append(contents, of: queue, isSynced: !waiters.isEmpty) { places[$0]?.takeSession() }
        queue.noteStored(unstaged: unstaged)
        reportUnstaged()
        for waiter in waiters { waiter.finish(result) }
        applyChanges()
        if time.uptime - lastSweep >= Self.sweepInterval { sweep() }
        reopenStorage()
        spillSoon()
        queue.prepare()
        // While events come the thread looks by itself, so that trackers need not wake it; it rests after finding none.
        drainSoon(withinMilliseconds: Self.commitWindow)
    }

    /// Looks each second for events that have waited for a second and are not being sent, as long as any are in memory.
    private func spillSoon() {
        guard !isSpillScheduled, storage.maySpill else { return }
        isSpillScheduled = true
        Task.unbound { [weak self, time] in
            guard await time.sleepUnlessCancelled(for: EventStorage.spillInterval) else { return }
            await self?.spillOld()
        }
    }

    private func spillOld() {
        isSpillScheduled = false
        storage.spillOld()
        applyChanges()
        spillSoon()
    }

    /// Lets the staging file grow up to the greatest `maxEventStoreBytes` of the namespaces.
    func raiseStagingLimit(for emitter: NamespaceEmitter) {
        guard let settings = emitter.lastSettings else { return }
        greatestStore = max(greatestStore, settings.emitter.maxEventStoreBytes ?? .max)
        if storage.staging.limit != greatestStore { storage.staging.limit = greatestStore }
    }

    /// Opens the store on disk if that failed before.
    func reopenStorage() {
        storage.reopen()
        applyChanges()
    }

    /// Stores what a dead process left in the slot's staging file.
    func replayStaged() {
        openPartitions()
        storage.replayLeftovers()
        applyChanges()
    }

    /// Adds the namespaces of new emitters to the storage.
    func openPartitions() {
        let (places, returned) = emitters.withLock { ($0.places, $0.takeReturned()) }
        for emitter in returned { storage.use(emitter.index, for: emitter.namespace, recipient(emitter)) }
        guard storage.count < places.count else { return }
        // None of them has ended: that comes after this.
        storage.add(places[storage.count...].map { $0?.namespace ?? "" }) { places[$0].map(recipient) }
        applyChanges()
        countSoon()
    }

    /// Adds the namespaces of new emitters to the storage.
    /// - Returns: The emitters whose namespaces the storage has, in the order of their indexes. Other threads may add more
    ///   meanwhile.
    func openEmitters() -> [NamespaceEmitter] {
        openPartitions()
        let count = storage.count
        return emitters.withLock { $0.places[..<count].compactMap(\.self) }
    }

    /// Releases the emitters of namespaces that have had no tracker and no events for a minute.
    ///
    /// One that anything else still refers to stays, as that of a removed tracker which the service has kept.
    func releaseEmitters() {
        let uptime = time.uptime
        // No reference may be left.
        let due = openEmitters().filter { $0.isIdle(at: uptime) && storage.isIdle($0.index) }.map(\.index)
        for index in due {
            storage.setRecipient(nil, of: index)
            // An emitter that has ended is gone after the lock, because its tracker's closures are user code.
            let (emitter, hasEnded) = emitters.withLock { $0.release(index) }
            if let emitter, !hasEnded { storage.setRecipient(recipient(emitter), of: index) }
        }
    }

    /// Counts what became of events in the storage, and lets their namespaces' delivery know.
    func applyChanges() {
        var changes = storage.takeChanges()
        // To follow one change may lead to others.
        while !changes.isEmpty {
            for (namespace, change) in changes { follow(change, emitter(for: namespace)) }
            changes = storage.takeChanges()
        }
        storage.release(to: queue)
        let hadFailed = failure.exchange(storage.condition.failure) != nil
        if hadFailed != (storage.condition.failure != nil) {
            for emitter in openEmitters() { publishUnsent(of: emitter) }
        }
        noteUnstaged()
        guard storage.isAdoptionDue else { return }
        storage.isAdoptionDue = false
        adoptSoon()
    }

    /// Counts what earlier processes left, in turns with the thread's other work.
    func countSoon() {
        guard !isCounting, storage.isCounting else { return }
        isCounting = true
        Task.unbound {
            while self.storage.countMore() {
                self.applyChanges()
                await Task.yield()
            }
            self.applyChanges()
            self.isCounting = false
        }
    }

    private func follow(_ change: EventStorage.Change, _ emitter: NamespaceEmitter) {
        openPartitions()
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
