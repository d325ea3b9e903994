extension SQLiteEventStore {
    private static let step = 500

    /// Whether there is a table of dead letters; files have one from the first letter on.
    private func hasDeadLetterTable() throws(EventStoreError) -> Bool {
        try statement("SELECT 1 FROM sqlite_master WHERE name = 'dead_letters'").number() != nil
    }

    /// Whether there are dead letters.
    func hasDeadLetters() throws(EventStoreError) -> Bool {
        guard try hasDeadLetterTable() else { return false }
        return try statement("SELECT 1 FROM dead_letters LIMIT 1").number() != nil
    }

    /// Keeps dead letters and removes events, in one commit; the letters beyond the bounds give way, the oldest first.
    /// - Parameters:
    ///   - letters: The letters.
    ///   - ids: The events to remove.
    ///   - bounds: The bounds of all letters.
    ///   - time: Milliseconds since 1970.
    /// - Throws: If they cannot be stored; nothing is changed then.
    func keep(
        _ letters: [DeadLetter], removing ids: [Int64] = [], within bounds: DeadLetters.Bounds, at time: Int64
    ) throws(EventStoreError) {
        do throws(EventStoreError) {
            try database.transaction { () throws(EventStoreError) in
                try insert(letters)
                try trim(to: bounds, at: time)
                try removeRows(ids.sorted())
            }
        } catch {
            deadLetterBytes = nil
            throw error
        }
    }

    /// Adds dead letters within a transaction.
    func insert(_ letters: [DeadLetter]) throws(EventStoreError) {
        guard !letters.isEmpty else { return }
        if try !hasDeadLetterTable() {
            try database.execute(
                """
                CREATE TABLE dead_letters (
                    id INTEGER PRIMARY KEY AUTOINCREMENT, namespace TEXT NOT NULL, reason TEXT NOT NULL,
                    time INTEGER NOT NULL, anonymous INTEGER NOT NULL, payload BLOB NOT NULL
                );
                CREATE INDEX dead_letters_by_time ON dead_letters (time)
                """)
        }
        let insert = try database.prepare(
            "INSERT INTO dead_letters (namespace, reason, time, anonymous, payload) VALUES (?, ?, ?, ?, ?)")
        for letter in letters {
            try insert.bind(1, letter.namespace).bind(2, letter.reason).bind(3, letter.time)
                .bind(4, letter.isAnonymous ? 1 : 0)
            let result = letter.payload.withUnsafeBytes { bytes in
                Result { () throws(EventStoreError) in try insert.bind(5, bytes).run() }
            }
            try result.get()
            if let bytes = deadLetterBytes { deadLetterBytes = bytes + letter.payload.count }
        }
    }

    /// Removes letters that are too old.
    func trimDeadLetters(to bounds: DeadLetters.Bounds, at time: Int64) throws(EventStoreError) {
        try keep([], within: bounds, at: time)
    }

    private func trim(to bounds: DeadLetters.Bounds, at time: Int64) throws(EventStoreError) {
        guard try hasDeadLetterTable() else { return }
        var left = try countDeadLetterBytes()
        var ids: [Int64] = []
        let oldest = bounds.oldest(at: time)
        // By time: letters of another process that were taken over have higher ids than younger ones.
        let select = try database.prepare("SELECT id, time, length(payload) FROM dead_letters ORDER BY time, id")
        try select.forEachRow(while: { row in
            guard row.int64(1) < oldest || left > bounds.maxBytes else { return false }
            ids.append(row.int64(0))
            left -= Int(row.int64(2))
            return true
        })
        try removeDeadLetterRows(ids)
        deadLetterBytes = left
    }

    private func countDeadLetterBytes() throws(EventStoreError) -> Int {
        if let deadLetterBytes { return deadLetterBytes }
        return Int(try database.prepare("SELECT sum(length(payload)) FROM dead_letters").number() ?? 0)
    }

    /// Reads dead letters, the oldest first.
    /// - Parameters:
    ///   - filter: Which.
    ///   - id: The letter after which to begin.
    ///   - limit: The most letters and bytes; a first letter is read however large it is.
    /// - Returns: The letters; none if there are no more.
    /// - Throws: If the file cannot be read.
    func deadLetters(
        _ filter: DeadLetter.Filter = DeadLetter.Filter(), after id: Int64 = 0,
        limit: EventAmount = EventAmount(events: step, bytes: 4 << 20)
    ) throws(EventStoreError) -> [DeadLetter] {
        guard try hasDeadLetterTable() else { return [] }
        let select = try database.prepare(
            """
            SELECT id, namespace, reason, time, anonymous, payload FROM dead_letters
            WHERE id > ?1 AND (?2 IS NULL OR namespace = ?2) AND (?3 IS NULL OR reason = ?3) ORDER BY id
            """)
        try select.bind(1, id)
        // A parameter that is not bound is null.
        if let namespace = filter.namespace { try select.bind(2, namespace) }
        if let reason = filter.reason { try select.bind(3, reason.rawValue) }
        var letters: [DeadLetter] = []
        var amount = EventAmount.zero
        try select.forEachRow(
            inOrder: true,
            while: { row in
                let letter = DeadLetter(row)
                // One that is damaged would spoil the request that it is sent in; it stays until it is too old.
                guard letter.event.members != nil else { return true }
                amount += EventAmount(letter.event)
                guard letters.isEmpty || limit.covers(amount) else { return false }
                letters.append(letter)
                return true
            })
        return letters
    }

    /// Removes dead letters by their ids.
    func removeDeadLetters(_ ids: [Int64]) throws(EventStoreError) {
        deadLetterBytes = nil
        try database.transaction { () throws(EventStoreError) in try removeDeadLetterRows(ids) }
    }

    private func removeDeadLetterRows(_ ids: [Int64]) throws(EventStoreError) {
        let delete = try database.prepare("DELETE FROM dead_letters WHERE id = ?")
        for id in ids { try delete.bind(1, id).run() }
    }

    /// Puts dead letters back into the queue of unsent events, each in one commit.
    /// - Parameters:
    ///   - filter: Which.
    ///   - time: When they count as tracked, in milliseconds since 1970: now, so that they do not expire at once.
    /// - Returns: What was put back, by namespace.
    /// - Throws: If the store fails on the way; letters are in one of both places then too.
    func requeue(_ filter: DeadLetter.Filter, at time: Int64) throws(EventStoreError) -> [ExactText: EventAmount] {
        var requeued: [ExactText: EventAmount] = [:]
        deadLetterBytes = nil
        defer { forgetLastIDs() }
        var last: Int64 = 0
        while true {
            let letters = try deadLetters(filter, after: last)
            last = letters.last?.id ?? last
            guard !letters.isEmpty else { return requeued }
            try database.transaction { () throws(EventStoreError) in
                for (namespace, letters) in Dictionary(grouping: letters, by: { ExactText($0.namespace) }) {
                    var batch = EventBatch()
                    for letter in letters {
                        letter.payload.withUnsafeBytes {
                            batch.append($0, namespace: 0, isAnonymous: letter.isAnonymous, time: time)
                        }
                    }
                    let key = try key(of: namespace.text)
                    var lastIDs: [Int64: Int64] = [:]
                    try append(batch, keys: { _ in key }, &lastIDs)
                }
                try removeDeadLetterRows(letters.map(\.id))
            }
            for letter in letters { requeued[ExactText(letter.namespace), default: .zero] += EventAmount(letter.event) }
        }
    }

    /// Moves all dead letters into another store; a failure on the way may leave some in both, never in none.
    func moveDeadLetters(
        to target: SQLiteEventStore, within bounds: DeadLetters.Bounds, at time: Int64
    ) throws(EventStoreError) {
        var last: Int64 = 0
        while true {
            let letters = try deadLetters(after: last)
            last = letters.last?.id ?? last
            guard !letters.isEmpty else { return }
            try target.asTarget { () throws(EventStoreError) in try target.keep(letters, within: bounds, at: time) }
            try removeDeadLetters(letters.map(\.id))
        }
    }
}
