extension StateDirectory {
    /// The slot that this process has, with its store.
    struct OwnSlot {
        let slot: Int
        let store: SQLiteEventStore
    }

    /// Completes the moves of events that killed processes had begun, from a slot and to it; see ``SQLiteEventStore/Move``.
    /// - Parameters:
    ///   - store: The slot's store.
    ///   - slot: The slot, whose lock this process has.
    ///   - own: The slot that is this process's own; nil while it has none.
    /// - Returns: Whether all are complete. If not, another process has the other slot, and this one's events may be in both.
    /// - Throws: `.corrupt` if this slot's store is damaged, `.unavailable` if a move cannot be completed now.
    func completeMoves(
        of store: SQLiteEventStore, in slot: Int, own: OwnSlot?
    ) throws(EventStoreError) -> Bool {
        do throws(EventStoreError) {
            for file in leftovers(of: slot) {
                // Which of its events are to be salvaged is noted there.
                if let target = try EventSalvage.Notes(of: file).moveTarget, target != slot,
                    case .taken = try peer(target, own)
                {
                    return false
                }
            }
            return try complete(store, slot, own)
        } catch  where error.code != .corrupt {
            throw EventStoreError(
                .unavailable, reason: "a move of events from or to \(store.path) cannot be completed: \(error.reason)",
                cause: error)
        }
    }

    /// Completes the moves from a slot and to it.
    ///
    /// The source's note is removed last: while it exists, no process takes the slot. New events in the slot could otherwise get
    /// the ids of moved ones, which the target still records.
    private func complete(_ store: SQLiteEventStore, _ slot: Int, _ own: OwnSlot?) throws(EventStoreError) -> Bool {
        if let target = try store.moveTarget() {
            switch try peer(target, own) {
            case .store(let other):
                let moved = try repairing(other, own) { () throws(EventStoreError) in try other.moved(from: slot) }
                try store.removeMoved(moved)
                try repairing(other, own) { () throws(EventStoreError) in try other.forgetMoved(from: slot) }
                try store.setMoveTarget(nil)
            case .missing: try store.setMoveTarget(nil)
            case .taken: return false
            }
        }
        for source in try store.moveSources() {
            switch try peer(source, own) {
            case .store(let other):
                let moved = try store.moved(from: source)
                let isSource = try repairing(other, own) { () throws(EventStoreError) in try other.moveTarget() == slot
                }
                if isSource { try repairing(other, own) { () throws(EventStoreError) in try other.removeMoved(moved) } }
                try store.forgetMoved(from: source)
                if isSource { try repairing(other, own) { () throws(EventStoreError) in try other.setMoveTarget(nil) } }
            case .missing: try store.forgetMoved(from: source)
            case .taken: return false
            }
        }
        return true
    }

    /// What there is of the other slot of a move.
    private enum Peer {
        case store(SQLiteEventStore)
        /// Its file was removed, and so it has no events.
        case missing
        /// Another process has it, or its store was damaged and what it noted is not salvaged yet.
        case taken
    }

    /// Runs a step on the other slot's store, which is replaced if it is damaged.
    /// - Throws: `.unavailable` if it was replaced: the move can be completed once the damaged one is salvaged.
    private func repairing<Result>(
        _ other: SQLiteEventStore, _ own: OwnSlot?, _ step: () throws(EventStoreError) -> Result
    ) throws(EventStoreError) -> Result {
        do throws(EventStoreError) {
            return try step()
        } catch  where error.code == .corrupt {
            // The process replaces its own store when it next uses it.
            guard other !== own?.store else { throw EventStoreError(.unavailable, reason: error.reason, cause: error) }
            _ = try replace(other.path, other.lock)
            throw EventStoreError(.unavailable, reason: Self.replaced(other.path, error), cause: error)
        }
    }

    private func peer(_ slot: Int, _ own: OwnSlot?) throws(EventStoreError) -> Peer {
        guard leftovers(of: slot).isEmpty else { return .taken }
        if let own, own.slot == slot { return .store(own.store) }
        guard let lock = try lock(slot) else { return .taken }
        guard FileIdentity(file(slot)) != nil else { return .missing }
        let (store, warning) = try open(slot, lock)
        if let warning { throw EventStoreError(.unavailable, reason: warning) }
        return .store(store)
    }

    /// Salvages a damaged database of a slot, except for the events that another slot already has.
    func salvage(
        _ file: String, as name: String, of slot: Int, into store: SQLiteEventStore, own: OwnSlot?
    ) throws(EventStoreError) -> EventSalvage.Report {
        guard let target = try EventSalvage.Notes(of: file).moveTarget, target != slot else {
            return try EventSalvage.run(from: file, as: name, into: store)
        }
        switch try peer(target, own) {
        case .store(let other):
            let moved = try repairing(other, own) { () throws(EventStoreError) in try other.moved(from: slot) }
            let report = try EventSalvage.run(from: file, as: name, into: store, except: moved)
            // The events are saved, and have other numbers now. If this fails, the next look at the slot forgets it.
            try? other.forgetMoved(from: slot)
            return report
        case .missing: return try EventSalvage.run(from: file, as: name, into: store)
        case .taken:
            throw EventStoreError(.unavailable, reason: "some of its events may be in slot \(target), which is in use")
        }
    }
}
