extension EventPipeline {
    /// Looks after the store, every 30 s: opens one that could not be opened, salvages what is left of damaged ones, lets
    /// old events expire, and takes over what dead processes left.
    func tend() async {
        guard !isClosed else { return }
        reopenStore()
        salvageLeftovers()
        if time.uptime - lastSweep >= Self.sweepInterval { sweep() }
        reportDueLosses()
        await adoptAbandonedStores()
        await shrinkStore()
    }

    /// Takes over what waited for namespaces that are new here; one look serves all trackers of a document.
    func adoptSoon() {
        guard home != nil, !isAdoptionDue else { return }
        isAdoptionDue = true
        adoption = Task { await self.adoptAbandonedStores() }
    }

    /// Takes over events of this process's namespaces that dead processes of the service left, and counts the others.
    func adoptAbandonedStores() async {
        isAdoptionDue = false
        guard let home, !isClosed else { return }
        if isAdopting {
            adoptsAgain = true
            return
        }
        isAdopting = true
        defer { isAdopting = false }
        repeat {
            adoptsAgain = false
            await lookForEvents(in: home)
        } while adoptsAgain && !isClosed
    }

    private func lookForEvents(in home: StateDirectory) async {
        guard store is SQLiteEventStore else { return }
        openLanes()
        let slots: [(directory: String, slot: Int)]
        do throws(FileError) {
            slots = try home.slots()
        } catch {
            return log.error("what other processes left cannot be looked for: \(error)")
        }
        var left = ownLeftovers()
        var known: [String: (stamp: FileStamp, namespaces: [String: Int])] = [:]
        for (directory, slot) in slots where directory != home.path || slot != self.slot {
            let file = StateDirectory.file(slot, in: directory)
            // A slot that has not changed since the last look still has nothing for this process.
            if let seen = knownSlots[file], FileStamp(file, followsLinks: false) == seen.stamp,
                seen.namespaces.keys.allSatisfy({ !hasTracker($0) })
            {
                known[file] = seen
                left.merge(seen.namespaces, uniquingKeysWith: +)
                continue
            }
            do throws(EventStoreError) {
                guard let namespaces = try await adopt(slot, directory, home) else { continue }
                left.merge(namespaces, uniquingKeysWith: +)
                if let stamp = FileStamp(file, followsLinks: false) { known[file] = (stamp, namespaces) }
            } catch {
                log.error("the events in \(file) could not be taken over: \(error.reason)")
            }
        }
        knownSlots = known
        tellUnclaimed(left)
    }

    /// Takes over what a free slot has for this process.
    /// - Returns: What is left there, by namespace; nil if the slot is not free.
    private func adopt(
        _ slot: Int, _ directory: String, _ home: StateDirectory
    ) async throws(EventStoreError) -> [String: Int]? {
        guard let abandoned = try home.abandoned(slot, in: directory) else { return nil }
        for (report, sentence) in home.salvage(slot, in: directory, into: abandoned.store) {
            logSalvage(report, sentence)
            if let report { countLost(report) }
        }
        var left: [String: Int] = [:]
        for namespace in try abandoned.store.namespaces() {
            guard hasTracker(namespace) else {
                left[namespace] = try abandoned.store.amount(of: abandoned.store.key(of: namespace)).events
                continue
            }
            while !isClosed, let own = store as? SQLiteEventStore {
                let (moved, damaged) = try abandoned.store.moveEvents(of: namespace, to: own)
                count(moved, of: namespace)
                if damaged > 0 { countDamaged(damaged, of: namespace) }
                if moved.events == 0 && damaged == 0 { break }
                // A dead process's backlog must not keep this one's events waiting.
                await Task.yield()
            }
        }
        // Sessions stay for the process that takes the slot next.
        if left.isEmpty, !isClosed, try abandoned.store.sessions().isEmpty {
            home.remove(abandoned)
        } else {
            abandoned.store.close()
        }
        return left
    }

    /// Whether a namespace has a tracker in this process, or had one.
    private func hasTracker(_ namespace: String) -> Bool {
        outboxes.withLock { $0.byNamespace[exactly: namespace] }?.lastSettings != nil
    }

    /// Events in the own slot of namespaces that this process does not have.
    private func ownLeftovers() -> [String: Int] {
        do throws(EventStoreError) {
            var left: [String: Int] = [:]
            for namespace in try store.namespaces() where !hasTracker(namespace) {
                left[namespace] = try store.amount(of: store.key(of: namespace)).events
            }
            return left
        } catch {
            // The next pass that reads them logs the failure.
            return [:]
        }
    }

    /// Publishes the events of namespaces that this process does not have, and logs those that have waited for a while.
    private func tellUnclaimed(_ left: [String: Int]) {
        _ = unclaimed.exchange(left)
        let uptime = time.uptime
        unclaimedSince = left.mapValues { _ in uptime }.merging(unclaimedSince.filter { left[$0.key] != nil }) { $1 }
        for (namespace, count) in left.sorted(by: { $0.key < $1.key }) {
            guard let since = unclaimedSince[namespace], uptime - since >= Self.adoptionInterval else { continue }
            unclaimedSince[namespace] = .seconds(Int64.max)
            log.warning(
                "\(count) events of namespace \(namespace.excerpt) wait in \(home?.path ?? "") for a process that has it"
            )
        }
    }

    /// Lets a namespace's lane know of events that it did not store itself.
    func count(_ moved: EventAmount, of namespace: String) {
        guard moved.events > 0 else { return }
        // A namespace without a lane counts its events when it gets one.
        guard let number = lanes.firstIndex(where: { $0.outbox.namespace.isExactly(namespace) }),
            lanes[number].key != nil
        else { return }
        lanes[number].amount += moved
        lanes[number].outbox.countRecovered(moved.events)
        enforceBounds(number)
        perform(threshold(number), number)
    }

    /// Counts events that were found damaged and that no lane had counted.
    func countDamaged(_ count: Int, of namespace: String) {
        let outbox = outbox(for: namespace)
        outbox.countRecovered(count)
        outbox.countDropped(count, .damaged)
        reportLoss(outbox, .damaged, count, "their rows in the event store are damaged")
    }

    private func countLost(_ report: EventSalvage.Report) {
        for (namespace, lost) in report.lost { countDamaged(lost, of: namespace) }
    }

    /// Salvages what is left of damaged databases of the own slot.
    func salvageLeftovers() {
        guard let home, let slot, let file = store as? SQLiteEventStore else { return }
        for (report, sentence) in home.salvage(slot, in: home.path, into: file) {
            logSalvage(report, sentence)
            guard let report else { continue }
            for (namespace, saved) in report.saved { count(saved, of: namespace) }
            countLost(report)
        }
    }

    /// Logs what became of a damaged file: a loss is an error, and one that has to be tried again is logged once a minute.
    func logSalvage(_ report: EventSalvage.Report?, _ sentence: String) {
        guard let report else {
            if storeLines.admit(sentence, count: 1, at: time.uptime) != nil { log.error(sentence) }
            return
        }
        log.log(report.isComplete ? .info : .error, sentence)
    }

    private func shrinkStore() async {
        do throws(EventStoreError) {
            while !isClosed, let file = store as? SQLiteEventStore, try file.shrinkStep() { await Task.yield() }
        } catch {
            log.debug("the event store could not be made smaller: \(error.reason)")
        }
    }
}
