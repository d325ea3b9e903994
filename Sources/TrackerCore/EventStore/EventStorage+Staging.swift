import Glibc

extension EventStorage {
    /// Takes the records of the staging area whose events are on disk, sent, or dropped, so that their memory is free.
    func takeSettled() -> [EventQueue.Portion] {
        let first = held.isEmpty ? .max : memory.firstID ?? .max
        // At the end, events leave memory that the next process is to find.
        while !isClosing, let next = held.first, next.ids.upperBound < first {
            settled += next.portions
            held.removeFirst()
        }
        defer { settled = [] }
        return settled
    }

    /// Keeps the records of events that are in memory, because a kill would lose those.
    /// - Parameters:
    ///   - portions: The records.
    ///   - ids: The events' ids in memory.
    func hold(_ portions: [EventQueue.Portion], _ ids: ClosedRange<Int64>) {
        let (durable, others) = (portions.filter(\.area.isDurable), portions.filter { !$0.area.isDurable })
        settled += others
        if !durable.isEmpty { held.append((durable, ids)) }
    }

    /// Whether a segment has records before a portion that are held: the position of the portion would pass over them.
    func isHeld(_ portion: EventQueue.Portion) -> Bool {
        held.contains { $0.portions.contains { $0.isOfSameSegment(as: portion) } }
    }

    /// Gives up records whose events are on disk, those of held segments together with the ones before them.
    func settle(_ portions: [EventQueue.Portion]) {
        let waiting = portions.filter(isHeld)
        settled += portions.filter { !isHeld($0) }
        guard let last = held.last, !waiting.isEmpty else { return }
        held.append((waiting, last.ids))
        needsFreshSegments = true
    }

    /// Forgets the events in memory whose records the staging file has, at the end: the next process finds them there.
    func leaveHeld() {
        guard !held.isEmpty else { return }
        if memory.firstID == nil {
            // All of them are on disk, or sent.
            settled += held.flatMap(\.portions)
            held = []
        }
        for partition in partitions {
            let key = partition.memoryKey
            let events = memory.events(of: key, limit: EventAmount(events: .max, bytes: .max), except: []).events
            _ = memory.remove(events.map(\.id).filter { id in held.contains { $0.ids.contains(id) } }, of: key)
        }
    }

    /// Stores what a dead process left in the own staging file; until that succeeds it stays there.
    func replayLeftovers() {
        guard !leftovers.isEmpty, let disk, let staging, !isClosing else { return }
        let moved: [ExactText: EventAmount]
        do throws(EventStoreError) {
            moved = try disk.replay(leftovers)
        } catch {
            diskFailed("events that an earlier process tracked cannot be stored yet: \(error.reason)")
            return
        }
        for leftover in leftovers {
            staging.settle(leftover.position)
            staging.release(leftover.position.segment)
        }
        note(moved, leftovers)
        leftovers = []
    }

    /// Opens the own staging file if that was not possible before.
    func reopenStaging() {
        guard staging == nil, let directory, let slot, let disk, !isClosing else { return }
        do throws(EventStoreError) {
            (staging, leftovers) = try directory.openStaging(of: slot, disk)
            log.info("a kill loses no events any more")
        } catch {
            // It was logged at the start, and nothing is lost unless the process is killed.
            log.debug("the staging file cannot be used: \(error.reason)")
        }
    }

    /// Counts what was found in a staging file.
    func note(_ moved: [ExactText: EventAmount], _ leftovers: [StagingFile.Leftover]) {
        for (namespace, amount) in moved { adopt(amount, of: namespace.text) }
        for leftover in leftovers where leftover.damaged > 0 {
            let names = Dictionary(grouping: leftover.events, by: \.namespace).mapValues(\.count)
            loseStaged(leftover.damaged, of: names.max { $0.value < $1.value }?.key.text)
        }
    }

    /// Counts damaged records of a staging file.
    /// - Parameters:
    ///   - count: How many there are.
    ///   - neighbour: The namespace of the records beside them, because a damaged record does not say whose it is.
    ///   - isOwn: Whether this process tracked them, and has counted them.
    func loseStaged(_ count: Int, of neighbour: String?, isOwn: Bool = false) {
        guard count > 0, let namespace = neighbour ?? partitions.first?.namespace else { return }
        if !isOwn { note(.found(count), of: namespace) }
        note(.lost(count, .damaged, detail: "their records in the staging file are damaged"), of: namespace)
    }

    /// Removes the staging file if nothing waits in it, because it takes 8 MiB.
    func closeStaging() {
        guard staging != nil, leftovers.isEmpty, held.isEmpty, let directory, let slot, disk?.isInPlace == true else {
            return
        }
        unlink(StagingFile.path(slot, in: directory.path))
    }
}
