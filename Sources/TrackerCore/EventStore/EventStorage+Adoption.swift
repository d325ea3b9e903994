extension EventStorage {
    /// What is known of the slots that dead processes left.
    struct AdoptionState {
        /// Free slots that were looked into.
        var knownSlots: [Int: KnownSlot] = [:]
        /// Why slots could not be looked into: each reason is logged once.
        var failures: [Int: String] = [:]
        /// The uptime since which unclaimed events wait, by namespace; far in the future once that is logged.
        var unclaimedSince: [ExactText: Duration] = [:]
        var isRunning = false
        /// Whether another run was asked for while one is in progress.
        var runsAgain = false
    }

    /// A free slot as a look left it, and the numbers of events that are still there, by namespace.
    struct KnownSlot {
        /// nil if the slot was removed, or if the look was cut short.
        var stamp: SlotStamp?
        var namespaces: [ExactText: Int] = [:]
    }

    /// How long events of a namespace without a tracker wait before that is logged.
    private static let unclaimedInterval = Duration.seconds(30)

    /// Takes over events that dead processes of the service left.
    /// - Parameters:
    ///   - hasTracker: Whether a namespace has a tracker in this process, or had one; events of others stay where they are.
    ///   - pause: Called after each step of some milliseconds, so that a backlog does not hold up this process's events.
    /// - Returns: The number of events of the other namespaces; nil if another run is in progress, which looks once
    ///   more.
    package func adopt(if hasTracker: (String) -> Bool, pause: () async -> Void) async -> [ExactText: Int]? {
        guard let directory, disk != nil, !isClosing else { return nil }
        if adoption.isRunning {
            adoption.runsAgain = true
            return nil
        }
        adoption.isRunning = true
        defer { adoption.isRunning = false }
        var left: [ExactText: Int]?
        repeat {
            adoption.runsAgain = false
            left = await lookForEvents(in: directory, if: hasTracker, pause) ?? left
        } while adoption.runsAgain && !isClosing
        countRest()
        tendDeadLetters(if: hasTracker)
        return left
    }

    private func lookForEvents(
        in directory: StateDirectory, if hasTracker: (String) -> Bool, _ pause: () async -> Void
    ) async -> [ExactText: Int]? {
        let slots: [Int]
        do throws(FileError) {
            slots = try directory.slots()
        } catch {
            log.error("what other processes left cannot be looked for: \(error)")
            return nil
        }
        var left = unclaimedOnDisk(hasTracker)
        var known: [Int: KnownSlot] = [:]
        var failures: [Int: String] = [:]
        for slot in slots where slot != self.slot {
            // A slot that has not changed since the last look still has nothing for this process.
            if let seen = adoption.knownSlots[slot], let stamp = seen.stamp,
                SlotStamp(of: slot, in: directory.path) == stamp,
                seen.namespaces.keys.allSatisfy({ !hasTracker($0.text) })
            {
                known[slot] = seen
                left.merge(seen.namespaces, uniquingKeysWith: +)
                continue
            }
            do throws(EventStoreError) {
                guard let seen = try await adoptOrReplace(slot, directory, if: hasTracker, pause) else { continue }
                left.merge(seen.namespaces, uniquingKeysWith: +)
                known[slot] = seen
            } catch {
                // A slot of another user's fails at each look.
                failures[slot] = error.reason
                guard adoption.failures[slot] != error.reason else { continue }
                log.error("the events in \(directory.file(slot)) could not be taken over: \(error.reason)")
            }
        }
        (adoption.knownSlots, adoption.failures) = (known, failures)
        logUnclaimed(left, in: directory)
        return left
    }

    /// Takes over what a free slot has for this process; a damaged store is replaced, once per look, and salvaged.
    /// - Returns: What is left there, by namespace; nil if the slot is not free.
    private func adoptOrReplace(
        _ slot: Int, _ directory: StateDirectory, if hasTracker: (String) -> Bool, _ pause: () async -> Void
    ) async throws(EventStoreError) -> KnownSlot? {
        do throws(EventStoreError) {
            return try await adopt(slot, directory, if: hasTracker, pause)
        } catch  where error.code == .corrupt {
            guard try directory.replaceAbandoned(slot) else { return nil }
            log.error(StateDirectory.replaced(directory.file(slot), error))
            return try await adopt(slot, directory, if: hasTracker, pause)
        }
    }

    /// Takes over what a free slot has for this process.
    /// - Returns: What is left there, by namespace; nil if the slot is not free.
    private func adopt(
        _ slot: Int, _ directory: StateDirectory, if hasTracker: (String) -> Bool, _ pause: () async -> Void
    ) async throws(EventStoreError) -> KnownSlot? {
        guard let abandoned = try directory.abandoned(slot, own: ownSlot) else { return nil }
        if let warning = abandoned.warning { log.error(warning) }
        let staged = try directory.staged(of: slot, abandoned.store)
        // First, because the ids of added rows may be those of removed rows.
        try abandoned.store.remove(abandoned.store.current(staged.unremoved).runs[...])
        let leftovers = staged.leftovers
        for group in leftovers.groups { note(try abandoned.store.replay(group).map { ($0.namespace, .zero) }, group) }
        let reports = directory.salvage(slot, into: abandoned.store, own: ownSlot)
        for (report, sentence) in reports {
            logSalvage(report, sentence)
            if let report { loseDamaged(report) }
        }
        // Moves to this slot may have been noted in what was salvaged.
        if !reports.isEmpty, try !directory.completeMoves(of: abandoned.store, in: slot, own: ownSlot) { return nil }
        var left: [ExactText: Int] = [:]
        for namespace in try abandoned.store.namespaces() {
            guard hasTracker(namespace) else {
                left[ExactText(namespace)] = try abandoned.store.amount(of: abandoned.store.key(of: namespace)).events
                continue
            }
            while !isClosing, let disk {
                let (moved, damaged) = try abandoned.store.moveEvents(
                    of: namespace, to: disk, as: self.slot.map { SQLiteEventStore.Move(source: slot, target: $0) },
                    added: { adopt($0, of: namespace) })
                loseDamaged(damaged, of: namespace)
                if moved.events == 0 && damaged.isEmpty { break }
                await pause()
            }
        }
        // In this order: what is not noted any more was removed.
        if let disk { try disk.asTarget { () throws(EventStoreError) in try disk.forgetMoved(from: slot) } }
        try abandoned.store.setMoveTarget(nil)
        let hasLetters = !moveLetters(from: abandoned.store)
        // Sessions stay for the process that takes the slot next.
        if left.isEmpty, !hasLetters, !isClosing, try abandoned.store.sessions().isEmpty {
            directory.remove(abandoned)
            return KnownSlot()
        }
        abandoned.store.close()
        // Under the slot's lock, so that no process can take the slot before it is stamped.
        return withExtendedLifetime(abandoned) {
            KnownSlot(stamp: isClosing ? nil : SlotStamp(of: slot, in: directory.path), namespaces: left)
        }
    }

    var ownSlot: StateDirectory.OwnSlot? {
        guard let slot, let disk else { return nil }
        return StateDirectory.OwnSlot(slot: slot, store: disk)
    }

    /// Counts events that were moved to the disk. A namespace without a partition counts its events when it is added, and
    /// one that the disk gave no number by ``countRest()``.
    func adopt(_ moved: EventAmount, of namespace: String) {
        guard moved.events > 0,
            let index = partitions.firstIndex(where: { $0.namespace.isExactly(namespace) }),
            partitions[index].key != nil
        else { return }
        partitions[index].amount += moved
        note(.adopted(moved.events), of: namespace)
    }

    /// Events in the own slot of namespaces that this process does not have.
    private func unclaimedOnDisk(_ hasTracker: (String) -> Bool) -> [ExactText: Int] {
        guard let disk else { return [:] }
        do throws(EventStoreError) {
            var left: [ExactText: Int] = [:]
            for namespace in try disk.namespaces() where !hasTracker(namespace) {
                left[ExactText(namespace)] = try disk.amount(of: disk.key(of: namespace)).events
            }
            return left
        } catch {
            // The next load logs the failure.
            return [:]
        }
    }

    /// Logs the events of namespaces that this process does not have, once they have waited for a while.
    private func logUnclaimed(_ left: [ExactText: Int], in directory: StateDirectory) {
        let uptime = time.uptime
        adoption.unclaimedSince = left.mapValues { _ in uptime }
            .merging(adoption.unclaimedSince.filter { left[$0.key] != nil }) { $1 }
        for (namespace, count) in left.sorted(by: { $0.key < $1.key }) {
            guard let since = adoption.unclaimedSince[namespace], uptime - since >= Self.unclaimedInterval else {
                continue
            }
            adoption.unclaimedSince[namespace] = .seconds(Int64.max)
            log.warning(
                "\(count) events of namespace \(namespace.text.excerpt) wait in \(directory.path) for a process that has it"
            )
        }
    }
}
