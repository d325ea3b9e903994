extension SQLiteEventStore {
    /// Files with fewer unused bytes are left alone: a busy store needs the pages again.
    static let spareBytes: Int64 = 4 << 20
    private static let pagesPerStep = 512

    /// Gives unused pages back to the file system, if there are many.
    /// - Returns: Whether there is more to give back; each call takes some milliseconds.
    @discardableResult
    func shrinkStep() throws(EventStoreError) -> Bool {
        let size = try database.prepare("PRAGMA page_size").number() ?? 0
        let unused = try database.prepare("PRAGMA freelist_count").number() ?? 0
        guard size * unused > Self.spareBytes else { return false }
        if try database.prepare("PRAGMA auto_vacuum").number() == 2 {
            try database.execute("PRAGMA incremental_vacuum(\(Self.pagesPerStep))")
            let left = try database.prepare("PRAGMA freelist_count").number() ?? 0
            guard left == unused || size * left <= Self.spareBytes else { return true }
        } else if try namespaces().isEmpty {
            // A file of an earlier release, which learns to shrink when it is written anew, empty as it is.
            try database.execute("VACUUM")
        }
        // The pages that were moved are in the journal until then, and the file keeps its size.
        try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return false
    }

    /// Gives all unused pages back to the file system, if there are many.
    func shrink() throws(EventStoreError) {
        while try shrinkStep() {}
    }
}
