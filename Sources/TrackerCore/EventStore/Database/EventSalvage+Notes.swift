extension EventSalvage {
    /// What a damaged database notes beside its events, as far as it can be read.
    package struct Notes {
        /// How far the slot's staging file is in the database, by the segments' index.
        package let positions: [Int: StagedPosition]
        /// The slot to which its events were being moved; nil for none.
        let moveTarget: Int?
        /// The events that were moved into it, by their slot and their numbers there.
        let moved: [Int: ClosedRange<Int64>]

        /// Reads the notes of a database that no other connection has open.
        /// - Throws: If it cannot be read for another reason than damage.
        package init(of path: String) throws(EventStoreError) {
            try self.init(
                try SQLiteDatabase(path: path, isDamaged: true), WriteAheadLog.positions(behindDamageOf: path))
        }

        /// Reads the notes of an open database.
        /// - Parameters:
        ///   - source: The database.
        ///   - found: Positions that SQLite does not see.
        /// - Throws: If it cannot be read for another reason than damage.
        init(_ source: SQLiteDatabase, _ found: [StagedPosition]) throws(EventStoreError) {
            var (positions, moved) = ([Int: StagedPosition](), [Int: ClosedRange<Int64>]())
            var moveTarget: Int?
            try EventSalvage.unlessDamaged { () throws(EventStoreError) in
                // Without shared memory, as the store itself.
                try source.execute("PRAGMA locking_mode = EXCLUSIVE")
                // Files of earlier releases have neither table.
                guard try source.prepare("SELECT 1 FROM pragma_table_info('staging')").number() != nil else { return }
                try source.prepare("SELECT segment, generation, position FROM staging").forEachRow { row -> Void in
                    let position = StagedPosition(row)
                    guard 0..<StagingFile.maxSegments ~= position.segment else { return }
                    positions[position.segment] = position
                }
            }
            try EventSalvage.unlessDamaged { () throws(EventStoreError) in
                guard try source.prepare("SELECT 1 FROM pragma_table_info('moves')").number() != nil else { return }
                try source.prepare("SELECT slot, first, last FROM moves").forEachRow { row -> Void in
                    let slot = Int(row.int64(0))
                    if row.isNull(1) {
                        moveTarget = slot
                    } else {
                        moved[slot] = row.int64(1)...max(row.int64(1), row.int64(2))
                    }
                }
            }
            // The events behind damage in the log are salvaged, and must not be replayed too.
            for position in found where positions[position.segment]?.isBehind(position) ?? true {
                positions[position.segment] = position
            }
            (self.positions, self.moveTarget, self.moved) = (positions, moveTarget, moved)
        }
    }

    /// Copies the notes within the transaction of the events. The move target is not copied; the events get new ids.
    func copyNotes() throws(EventStoreError) {
        let notes = try Notes(source, WriteAheadLog.positions(behindDamageOf: path))
        let known = try target.stagedPositions()
        for (segment, position) in notes.positions where known[segment]?.isBehind(position) ?? true {
            try target.save(position)
        }
        let sources = try target.moveSources()
        for (slot, ids) in notes.moved where !sources.contains(slot) { try target.saveMoved(ids, from: slot) }
    }

    /// Runs a step; treats damage as missing data.
    /// - Returns: What `body` returns; nil after damage.
    /// - Throws: Any other failure: the file is to be tried again.
    @discardableResult
    static func unlessDamaged<Result>(
        _ body: () throws(EventStoreError) -> Result
    ) throws(EventStoreError) -> Result? {
        do throws(EventStoreError) {
            return try body()
        } catch {
            guard error.code == .corrupt else { throw error }
            return nil
        }
    }
}

extension WriteAheadLog {
    /// The positions in the staging file that a database notes if its log is damaged, behind the damage too.
    /// - Parameter path: The database.
    /// - Returns: The positions, also earlier ones; none if the log is not damaged.
    /// - Throws: If the database cannot be read for another reason than damage.
    static func positions(behindDamageOf path: String) throws(EventStoreError) -> [StagedPosition] {
        guard let log = WriteAheadLog(path: path + "-wal", expecting: SQLiteEventStore.pageSize), log.isDamaged else {
            return []
        }
        let file = try DatabaseFile(path: path, pageSize: log.pageSize)
        var positions: [StagedPosition] = []
        file.forEachImage { image in
            var cells: [RowCell] = []
            file.withBytes(of: image) { page in
                _ = RowCell.forEach(in: page, image.number) { if $1.kind == .position { cells.append($1) } }
            }
            positions += cells.compactMap { $0.position(in: image, of: file) }
        }
        return positions
    }
}
