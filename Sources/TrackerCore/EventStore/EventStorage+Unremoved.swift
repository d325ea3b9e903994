/// Events that are done with, and that the disk has no room to remove: they are not loaded again, by this process and by those
/// after it.
extension EventStorage {
    /// Leaves rows where they are, and notes them.
    func leaveUnremoved(_ ids: [Int64], of index: Int, on disk: SQLiteEventStore) {
        var rows = RangeSet<Int64>()
        for id in ids { rows.insert(contentsOf: id..<id + 1) }
        for ids in rows.ranges.map({ ClosedRange($0) }) {
            do throws(EventStoreError) {
                if let run = try disk.run(of: ids) { unremoved.insert(run) }
            } catch {
                log.error("sent events that are still in the store may be sent again after a restart: \(error.reason)")
                // A checksum that no rows have: the note counts for this process.
                unremoved.insert(UnremovedRows.Run(ids: ids, checksum: 0))
            }
        }
        noteUnremoved()
    }

    /// Whether there are such rows of a namespace.
    func hasUnremoved(_ index: Int) -> Bool {
        guard !unremoved.isEmpty, let key = partitions[index].key else { return false }
        return !unremoved.runs(within: SQLiteEventStore.ids(of: key)).isEmpty
    }

    /// Removes rows of a namespace for which the disk had no room before, if it has by now.
    /// - Parameters:
    ///   - index: The namespace.
    ///   - isDue: Whether to ask the disk although it failed less than a second ago.
    func removeUnremoved(_ index: Int, isDue: Bool = false) {
        guard hasUnremoved(index), let disk, let key = partitions[index].key, isDue || time.uptime >= nextRemoval
        else { return }
        let ids = SQLiteEventStore.ids(of: key)
        do throws(EventStoreError) {
            try disk.remove(unremoved.runs(within: ids))
        } catch {
            // It was logged when the events were sent.
            nextRemoval = time.uptime + .seconds(1)
            return
        }
        unremoved.remove(within: ids)
        noteUnremoved()
    }

    /// Notes the rows where the next process of the slot finds them.
    func noteUnremoved() {
        staging.area?.note(unremoved)
        let count = unremoved.runs.dropFirst(UnremovedRows.mostRuns).reduce(0) { $0 + $1.ids.count }
        guard count > 0, salvageLines.admit("unnoted", count: 1, at: time.uptime) != nil else { return }
        log.error(
            "\(count) sent events that the disk could not remove would be sent again after a kill: the note is full")
    }

    /// Removes what an earlier process noted, or leaves it where it is as long as the disk has no room.
    func takeOver(_ noted: UnremovedRows) {
        guard let disk, !noted.isEmpty else { return }
        do throws(EventStoreError) {
            unremoved = try disk.current(noted)
        } catch {
            log.error("events that an earlier process sent may be sent again: \(error.reason)")
            return
        }
        removeNoted()
    }

    /// Removes the rows that are noted, or leaves them where they are as long as the disk has no room.
    func removeNoted() {
        guard let disk else { return }
        do throws(EventStoreError) {
            try disk.remove(unremoved.runs[...])
            unremoved = UnremovedRows()
        } catch {
            log.error("events that an earlier process sent could not be removed from the store yet: \(error.reason)")
        }
        noteUnremoved()
    }

    /// The unsent events of a namespace on a disk.
    static func amount(
        of key: Int64, on disk: SQLiteEventStore, without unremoved: UnremovedRows
    ) throws(EventStoreError) -> EventAmount {
        try disk.amount(of: key)
            - amount(of: unremoved, within: SQLiteEventStore.ids(of: key), on: disk)
    }

    /// The rows with some ids that are not unsent events.
    package func unremovedAmount(
        within ids: ClosedRange<Int64>, on disk: SQLiteEventStore
    ) throws(EventStoreError) -> EventAmount {
        try Self.amount(of: unremoved, within: ids, on: disk)
    }

    private static func amount(
        of unremoved: UnremovedRows, within ids: ClosedRange<Int64>, on disk: SQLiteEventStore
    ) throws(EventStoreError) -> EventAmount {
        var amount = EventAmount.zero
        for run in unremoved.runs(within: ids) {
            amount += try disk.amount(of: run.ids.clamped(to: ids), limit: -1).amount
        }
        return amount
    }
}

extension SQLiteEventStore {
    /// Rows that follow each other, with their checksum; nil if one of them is gone.
    func run(of ids: ClosedRange<Int64>) throws(EventStoreError) -> UnremovedRows.Run? {
        try Self.run(of: ids, in: database)
    }

    /// The same in a database that no store has open.
    package static func run(
        of ids: ClosedRange<Int64>, in database: SQLiteDatabase
    ) throws(EventStoreError) -> UnremovedRows.Run? {
        var run = UnremovedRows.Run(ids: ids, checksum: 0)
        var count = 0
        let statement = try database.prepare("SELECT checksum FROM events WHERE id BETWEEN ? AND ?")
        try statement.bind(1, ids.lowerBound).bind(2, ids.upperBound).forEachRow { row -> Void in
            run.checksum ^= row.int64(0)
            count += 1
        }
        return count == ids.count ? run : nil
    }

    /// The rows of a note that are still those which were noted.
    func current(_ noted: UnremovedRows) throws(EventStoreError) -> UnremovedRows {
        var rows = UnremovedRows()
        for run in noted.runs where try self.run(of: run.ids) == run { rows.insert(run) }
        return rows
    }

    /// Removes rows, all of them or none.
    func remove(_ runs: ArraySlice<UnremovedRows.Run>) throws(EventStoreError) {
        guard !runs.isEmpty else { return }
        try database.transaction { () throws(EventStoreError) in
            for run in runs { try removeRange(run.ids.lowerBound, run.ids.upperBound) }
        }
    }
}
