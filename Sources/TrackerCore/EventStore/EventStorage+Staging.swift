import Glibc

extension EventStorage {
    /// Takes what was taken out of a queue into memory, and spills it if it must be on disk at once.
    /// - Parameters:
    ///   - contents: What was taken out.
    ///   - queue: The queue, whose memory serves again.
    ///   - isSynced: Whether to return only when even a power failure cannot lose them.
    ///   - session: Returns a namespace's session by its index if it has changed.
    /// - Returns: A failure if the events are not on disk although they must be.
    package func append(
        _ contents: consuming EventQueue.Contents, of queue: EventQueue, isSynced: Bool,
        session: (Int) -> SessionRecord?
    ) -> Result<Void, EventStoreError> {
        let hasVanished = staging.vanishedPath != nil
        if hasVanished { reopenStaging() }
        // A commit shows whether a store that failed works again.
        var mustSpill = condition.isFailing || staging.isShort || hasVanished
        // First: records of an area that was in use before, which are not held.
        let (former, own) = (
            contents.portions.filter { $0.area !== staging.area }, contents.portions.filter { $0.area === staging.area }
        )
        var batches: [EventBatch] = []
        for portions in [former, own] where !portions.isEmpty {
            let batch = staging.accept(portions, namespaceCount: count)
            let neighbour = batch.firstStaged.map { partitions[$0.namespace].namespace }
            loseStaged(portions.eventCount - batch.count, of: neighbour, isOwn: true)
            batches.append(batch)
        }
        mustSpill = mustSpill || !former.isEmpty || !contents.batches.isEmpty
        batches += contents.batches
        for batch in batches where count(batch, session: session) { mustSpill = true }
        let isTooMuch = isTooMuch(batches.reduce(0) { $0 + $1.size })
        let mayCommit = disk != nil && time.uptime >= (isSynced ? nextCommit : nextSpill)
        var result = Result<Void, EventStoreError>.success(())
        if mayCommit, isSynced || mustSpill || isTooMuch {
            // What would be too much for the memory goes from the staging file to the disk.
            if !isTooMuch { for batch in batches { keep(batch) } }
            result = spill(isTooMuch ? batches : [], isSynced: isSynced)
        } else {
            for batch in batches { keep(batch) }
            enforceMemoryBound()
            if isSynced { result = .failure(spillFailure ?? noDisk) }
        }
        batches = []
        contents.batches.reverse()
        // Taken out one by one: a batch that the list held too would be copied when it is emptied.
        while var batch = contents.batches.popLast() {
            batch.removeAll()
            queue.recycle(consume batch)
        }
        return result
    }

    var noDisk: EventStoreError {
        EventStoreError(.unavailable, reason: "events are kept in memory only")
    }

    /// Gives a queue back the records whose events are on disk, sent, or dropped, and the staging area that it is to use. What
    /// was sent is marked first, so that no later process sends it again.
    package func release(to queue: EventQueue) {
        if let area = staging.area, !isClosing { queue.use(area) }
        staging.sent(memory.takeRemovedRecords())
        staging.release(to: queue)
    }

    /// The number of events in memory that no other process would find: the disk has not taken them, and they have no record.
    var unstagedInMemory: Int { directory == nil ? 0 : memory.unheldCount }

    /// Forgets the events in memory whose records the staging file has, at the end: the next process finds them there.
    func leaveHeld() {
        staging.sent(memory.takeRemovedRecords())
        for partition in partitions { memory.removeHeld(of: partition.memoryKey) }
    }

    /// Leaves the staging file, which no other process finds any more: what it holds is in memory only from now on.
    func leaveStaging() {
        staging.leave()
        for partition in partitions { memory.forgetRecords(of: partition.memoryKey) }
    }

    /// Stores what a dead process left in the own staging file; until that succeeds it stays there.
    /// - Returns: Whether there was anything and it is safe from a power failure now.
    @discardableResult
    package func replayLeftovers() -> Bool {
        guard !staging.leftovers.isEmpty, let disk, !isClosing, time.uptime >= nextCommit else { return false }
        let start = time.uptime
        for group in staging.leftovers.groups {
            do throws(EventStoreError) {
                note(try disk.replay(group), group)
                staging.recovered(group.count)
            } catch {
                pauseCommits(since: start)
                diskFailed("events that an earlier process tracked cannot be stored yet: \(error.reason)")
                return false
            }
        }
        return true
    }

    /// Stores what a dead process left in a staging file that is gone, at the end, or counts it as lost.
    func closeLeftovers() {
        let left = staging.leftovers.filter { $0.position == nil }
        guard !left.isEmpty else { return }
        // Why not was logged each time before.
        for left in left.groups {
            if let moved = try? disk?.replay(left) {
                note(moved, left)
                continue
            }
            let events = Dictionary(grouping: left.flatMap(\.events), by: \.namespace).sorted { $0.key < $1.key }
            for (namespace, events) in events {
                note(.found(events.count), of: namespace.text)
                let detail = "an earlier process tracked them, and they were in memory only when the SDK was shut down"
                note(.lost(events.count, .notStored, detail: detail), of: namespace.text)
                let lost = events.map { StoredEvent(id: 0, isAnonymous: $0.isAnonymous, payload: Array($0.payload)) }
                report(lost, of: namespace.text, .notStored)
            }
            note([], left)
        }
        staging.forgetVanished()
    }

    /// Opens the own staging file if that was not possible before, or if it was removed or replaced since.
    package func reopenStaging() {
        let vanished = staging.vanishedPath
        // No reference to the disk is held here: one that is damaged has to be closed to be replaced. If the whole directory was
        // replaced, its slots belong to others.
        guard staging.area == nil || vanished != nil, let directory, let slot, disk?.isInPlace == true, !isClosing
        else {
            return
        }
        if let vanished {
            // Something may remove each new one.
            if let last = staging.lastReplaced, time.uptime - last < StoreCondition.replaceInterval { return }
            staging.lastReplaced = time.uptime
            log.error("\(vanished) was removed or replaced while it was in use; a kill can lose what it had")
            leaveStaging()
            _ = spill()
            // The spill may have found that the store vanished too.
            guard staging.area == nil, self.slot == slot, disk?.isInPlace == true else { return }
        }
        do throws(EventStoreError) {
            let opened = try disk.map { disk throws(EventStoreError) in try directory.openStaging(of: slot, disk) }
            guard let (area, contents) = opened else { return }
            staging.use(area, vanished == nil ? contents.leftovers : [])
            // Of a copy: what was in the former file is in memory or on disk.
            if vanished != nil { area.passOver(contents.leftovers) }
            noteUnremoved()
            log.info("events that are tracked from now on outlive a kill")
        } catch {
            if error.code == .corrupt { _ = replaceDamagedDisk() }
            // Without a file from the start, that was said then; and nothing is lost unless the process is killed.
            log.log(vanished == nil ? .debug : .error, "the staging file cannot be used: \(error.reason)")
        }
    }

    /// Counts what was found in a staging file.
    func note(_ moved: [(namespace: ExactText, amount: EventAmount)], _ leftovers: [StagingFile.Leftover]) {
        for (namespace, amount) in moved { adopt(amount, of: namespace.text) }
        for leftover in leftovers where leftover.damaged > 0 {
            let names = Dictionary(grouping: leftover.events, by: \.namespace).mapValues(\.count)
            loseStaged(leftover.damaged, of: names.max { $0.value < $1.value }?.key.text)
        }
    }

    /// Counts damaged events, as a rule records of a staging file.
    /// - Parameters:
    ///   - count: The quantity.
    ///   - neighbour: The namespace of the records beside them, because a damaged record does not say whose it is.
    ///   - isOwn: Whether this process tracked them, and has counted them.
    ///   - detail: What is damaged, for the log.
    func loseStaged(
        _ count: Int, of neighbour: String?, isOwn: Bool = false,
        detail: String = "their records in the staging file are damaged"
    ) {
        guard count > 0 else { return }
        guard let namespace = neighbour ?? partitions.first?.namespace else {
            // Counted with the first namespace.
            unattributedLosses.append((count, detail))
            return
        }
        if !isOwn { note(.found(count), of: namespace) }
        note(.lost(count, .damaged, detail: detail), of: namespace)
    }

    /// Removes the staging file if nothing waits in it, because it takes 8 MiB and more.
    func closeStaging() {
        guard staging.area != nil, staging.isEmpty, unremoved.isEmpty, let directory, let slot,
            disk?.isInPlace == true
        else { return }
        unlink(StagingFile.path(slot, in: directory.path))
        // The next file has other segments. Positions that stay cost time at the next start.
        try? disk?.forgetStagedPositions()
    }
}
