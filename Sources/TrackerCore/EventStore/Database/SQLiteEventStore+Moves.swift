/// Moves events from the store of a free slot to this process's store: one commit adds them to the target, another removes them
/// from the source, and a kill between the two leaves them in both.
///
/// The source records its target first; the target records the moved ids in the commit that adds the rows. Whichever process
/// later holds both slots removes those rows from the source.
extension SQLiteEventStore {
    /// The slots between which events are moved.
    struct Move {
        let source: Int
        let target: Int
    }

    /// Moves some events of a namespace into another store; a failure on the way may leave some in both, never in none.
    /// - Parameters:
    ///   - namespace: The namespace.
    ///   - target: The other store.
    ///   - move: The slots of both; nil if no other process can ever have this store.
    ///   - limit: The most that is moved.
    ///   - added: Gets what the other store has, before it is removed here.
    /// - Returns: What was moved, zero if none is left, and the rows that were damaged and are gone.
    /// - Throws: If one of the stores cannot be read or written.
    func moveEvents(
        of namespace: String, to target: SQLiteEventStore, as move: Move? = nil,
        limit: EventAmount = EventAmount(events: 1000, bytes: 4 << 20), added: (EventAmount) -> Void = { _ in }
    ) throws(EventStoreError) -> (moved: EventAmount, damaged: [StoredEvent]) {
        let key = try key(of: namespace)
        var batch = EventBatch()
        let found = try rows(of: key, limit: limit) { event, time in
            event.payload.withUnsafeBytes { batch.append($0, namespace: 0, isAnonymous: event.isAnonymous, time: time) }
        }
        let amount = found.events.reduce(.zero) { $0 + EventAmount($1) }
        if let move, try moveTarget() != move.target {
            // What is noted of an earlier move names events that are gone; their numbers may be others' now.
            try target.asTarget { () throws(EventStoreError) in try target.forgetMoved(from: move.source) }
            try setMoveTarget(move.target)
        }
        if let first = found.events.first, let last = found.events.last {
            try target.asTarget { () throws(EventStoreError) in
                let targetKey = try target.key(of: namespace)
                // Synced, because what was synced there must not be less durable here.
                try target.append(
                    batch, keys: { _ in targetKey }, isSynced: true, positions: [],
                    moved: move.map { ($0.source, first.id...last.id) })
            }
            added(amount)
        }
        _ = try remove((found.events + found.damaged).map(\.id), of: key)
        return (amount, found.damaged)
    }

    /// Runs a step of a move on this store as the target. Damage of this store is reported as `.failed`, so that the source is
    /// not replaced.
    /// - Throws: `.failed` if this store is damaged, and the other errors of the step.
    func asTarget<Result>(_ step: () throws(EventStoreError) -> Result) throws(EventStoreError) -> Result {
        do throws(EventStoreError) {
            return try step()
        } catch  where error.code == .corrupt {
            throw EventStoreError(.failed, reason: "\(path) is damaged: \(error.reason)", cause: error)
        }
    }

    /// The slot to which events of this store are being moved; nil for none.
    func moveTarget() throws(EventStoreError) -> Int? {
        try statement("SELECT slot FROM moves WHERE first IS NULL").number().map(Int.init)
    }

    /// Notes where events of this store are being moved; nil for nowhere.
    func setMoveTarget(_ slot: Int?) throws(EventStoreError) {
        try database.transaction { () throws(EventStoreError) in
            try database.execute("DELETE FROM moves WHERE first IS NULL")
            if let slot { try statement("INSERT INTO moves (slot) VALUES (?)").bind(1, Int64(slot)).run() }
        }
    }

    /// The slots from which events were being moved here.
    func moveSources() throws(EventStoreError) -> [Int] {
        var slots: [Int] = []
        try statement("SELECT slot FROM moves WHERE first IS NOT NULL").forEachRow {
            slots.append(Int($0.int64(0)))
        }
        return slots
    }

    /// Notes within a transaction that it adds events of another slot, by their numbers there.
    func saveMoved(_ ids: ClosedRange<Int64>, from slot: Int) throws(EventStoreError) {
        try forgetMoved(from: slot)
        try statement("INSERT INTO moves VALUES (?, ?, ?)")
            .bind(1, Int64(slot)).bind(2, ids.lowerBound).bind(3, ids.upperBound).run()
    }

    /// Forgets which events of another slot were moved here, after they were removed there.
    func forgetMoved(from slot: Int) throws(EventStoreError) {
        try statement("DELETE FROM moves WHERE slot = ? AND first IS NOT NULL").bind(1, Int64(slot)).run()
    }

    /// Which events of another slot were moved here, by their numbers there; nil for none.
    func moved(from slot: Int) throws(EventStoreError) -> ClosedRange<Int64>? {
        var ids: ClosedRange<Int64>?
        try statement("SELECT first, last FROM moves WHERE slot = ? AND first IS NOT NULL")
            .bind(1, Int64(slot)).forEachRow { ids = $0.int64(0)...max($0.int64(0), $0.int64(1)) }
        return ids
    }

    /// Removes the events that another store already has.
    /// - Parameter ids: The events' numbers.
    /// - Throws: If the store cannot be written.
    func removeMoved(_ ids: ClosedRange<Int64>?) throws(EventStoreError) {
        guard let ids else { return }
        try removeRange(ids.lowerBound, ids.upperBound)
    }
}
