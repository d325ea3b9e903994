extension EventStorage {
    /// Runs `body` with the service's file of dead letters, which is opened when it is first needed; a damaged one is replaced.
    /// - Parameters:
    ///   - isMade: Whether to make the file if it is missing.
    ///   - body: Gets the file.
    /// - Returns: What `body` returns; nil if the file is missing and not made.
    /// - Throws: What `body` throws, and if the file cannot be opened.
    private func withDeadLetters<Result>(
        isMade: Bool, _ body: (DeadLetterStore) throws(EventStoreError) -> Result
    ) throws(EventStoreError) -> Result? {
        guard let directory, disk != nil else {
            throw EventStoreError(.unavailable, reason: "there is no store on disk")
        }
        func run() throws(EventStoreError) -> Result? {
            if letterStore?.isInPlace != true {
                letterStore =
                    isMade ? try DeadLetterStore(in: directory.path) : try DeadLetterStore.existing(in: directory.path)
            }
            return try letterStore.map(body)
        }
        do throws(EventStoreError) {
            return try run()
        } catch  where error.code == .corrupt {
            letterStore = nil
            if let aside = try DeadLetterStore.setAside(in: directory.path) {
                log.error("the dead letters are damaged and were set aside as \(aside): \(error.reason)")
            }
            return try run()
        }
    }

    /// Keeps dropped events.
    func keepLetters(_ letters: [DeadLetter], within bounds: DeadLetters.Bounds) throws(EventStoreError) {
        _ = try withDeadLetters(isMade: true) { (store) throws(EventStoreError) in
            try store.keep(letters, within: bounds, at: time.wallTime)
        }
    }

    /// Removes dead letters that are too old, and puts those back into the queue that an operator asked for.
    func tendDeadLetters(if hasTracker: (String) -> Bool) {
        guard let disk, !isClosing else { return }
        if !hasMovedLetters { hasMovedLetters = moveLetters(from: disk) }
        do throws(EventStoreError) {
            try withDeadLetters(isMade: false) { (store) throws(EventStoreError) in
                if let deadLetters { try store.keep([], within: deadLetters, at: time.wallTime) }
                for partition in partitions where hasTracker(partition.namespace) {
                    try resend(of: partition.namespace, from: store, to: disk)
                }
            }
        } catch {
            let sentence = "the dead letters cannot be used: \(error.reason)"
            if salvageLines.admit(sentence, count: 1, at: time.uptime) != nil { log.error(sentence) }
        }
    }

    private func resend(
        of namespace: String, from letters: DeadLetterStore, to disk: SQLiteEventStore
    ) throws(EventStoreError) {
        var amount = EventAmount.zero
        defer {
            if amount.events > 0 {
                adopt(amount, of: namespace)
                log.info("\(amount.events) dead letters were put back into the queue, as an operator asked")
            }
        }
        try letters.takeDue(of: namespace) { (letters) throws(EventStoreError) in
            var batch = EventBatch()
            for letter in letters {
                letter.payload.withUnsafeBytes {
                    // As tracked now, so that they do not expire at once.
                    batch.append($0, namespace: 0, isAnonymous: letter.isAnonymous, time: time.wallTime)
                }
            }
            let key = try disk.key(of: namespace)
            try disk.append(batch, keys: { _ in key }, isSynced: true)
            amount += letters.reduce(.zero) { $0 + EventAmount($1.event) }
        }
    }

    /// Moves the letters that release 0.2.0 kept in a slot's database to the service's file.
    /// - Returns: Whether none is left.
    func moveLetters(from store: SQLiteEventStore) -> Bool {
        // Without bounds of its own, the process keeps what another one kept.
        let bounds = deadLetters ?? DeadLetters.Bounds(maxBytes: .max, maxAge: .tenYears)
        do throws(EventStoreError) {
            try store.moveLetters { (letters) throws(EventStoreError) in try keepLetters(letters, within: bounds) }
            return true
        } catch {
            log.error("the dead letters in \(store.path) could not be moved: \(error.reason)")
            return false
        }
    }
}

extension SQLiteEventStore {
    /// Gives the letters of release 0.2.0 to `keep`, and removes them.
    fileprivate func moveLetters(_ keep: ([DeadLetter]) throws(EventStoreError) -> Void) throws(EventStoreError) {
        let exists = try database.prepare("SELECT 1 FROM pragma_table_info('dead_letters')").number()
        guard exists != nil else { return }
        let select = try database.prepare(
            """
            SELECT id, namespace, reason, time, anonymous, payload, 0, 0 FROM dead_letters
            WHERE id > ? AND length(payload) < 1 << 24 ORDER BY id LIMIT 100
            """)
        var last: Int64 = 0
        while true {
            var letters: [DeadLetter] = []
            try select.bind(1, last).forEachRow(inOrder: true) { letters.append(DeadLetter($0)) }
            guard let next = letters.last?.id else { break }
            try keep(letters.filter { $0.event.members != nil })
            last = next
        }
        try database.execute("DROP TABLE dead_letters")
    }
}
