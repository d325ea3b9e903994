extension EventPipeline {
    /// Moves tracked events to the storage, and lets their namespaces' delivery know.
    func drain() {
        var contents = queue.take()
        guard !contents.batches.isEmpty else { return }
        openLanes()
        var result: Result<Void, EventStoreError> = .success(())
        let isSynced = !contents.waiters.isEmpty
        contents.batches.reverse()
        // Taken out one by one: a batch that the list held too would be copied when it is emptied.
        while var batch = contents.batches.popLast() {
            let stored = storage.append(batch, isSynced: isSynced) { lanes[$0].outbox.takeSession() }
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

    /// Makes lanes for all outboxes that have none.
    func openLanes() {
        let missing = outboxes.withLock { $0.all[lanes.count...] }
        guard !missing.isEmpty else { return }
        for outbox in missing {
            lanes.append(Lane(outbox: outbox))
            // A tracker that was never attached has nothing to send by.
            lanes[outbox.number].schedule.pause()
        }
        storage.add(missing.map(\.namespace))
        applyChanges()
    }

    /// Counts what became of events in the storage, and lets their namespaces' delivery know.
    func applyChanges() {
        while let (namespace, change) = storage.nextChange() {
            let outbox = outbox(for: namespace)
            openLanes()
            switch change {
            case .stored: enforceBounds(outbox)
            case .found(let count): outbox.countRecovered(count)
            case .adopted(let count):
                outbox.countRecovered(count)
                enforceBounds(outbox)
            case .lost(let count, let reason, let detail):
                outbox.countDropped(count, reason)
                reportLoss(outbox, reason, count, detail)
            }
            if storage.amount(of: outbox.number).events == 0 { finishFlushes(outbox.number) }
            perform(threshold(outbox.number), outbox.number)
        }
        guard storage.isAdoptionDue else { return }
        storage.isAdoptionDue = false
        adoptSoon()
    }

    private func enforceBounds(_ outbox: Outbox) {
        storage.enforceBounds(outbox.number, by: outbox.lastSettings?.emitter ?? .builtIn)
    }

    /// Lets the events of all namespaces expire, those without a tracker too, by the age that it last had.
    func sweep() {
        lastSweep = time.uptime
        do throws(EventStoreError) {
            for namespace in try storage.namespaces() { _ = outbox(for: namespace) }
        } catch {
            log.error("unsent events could not be looked through for old ones: \(error.reason)")
        }
        openLanes()
        for lane in lanes { enforceBounds(lane.outbox) }
        applyChanges()
    }

    nonisolated func scopedLog(_ outbox: Outbox) -> Log {
        log.scoped(to: outbox.namespace, level: outbox.settings?.tracker.logLevel ?? .off)
    }
}
