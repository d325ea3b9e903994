extension EventStore {
    /// The maximum size of letters that wait while another process writes, in bytes.
    private static let maxWaitingBytes = 4 << 20
    /// The maximum delay of delivery by another writing process, in milliseconds.
    private static let patience: Int32 = 10

    /// Runs `body` with the service's file of dead letters; opens it at first use and replaces a damaged one.
    /// - Parameters:
    ///   - isMade: Whether to create the file if it is missing.
    ///   - body: Receives the file.
    /// - Returns: The result of `body`; nil if the file is missing and not created.
    /// - Throws: The error of `body`, or an error if the file cannot be opened.
    private func withDeadLetters<Result>(
        isMade: Bool, _ body: (DeadLetterStore) throws(EventStoreError) -> Result
    ) throws(EventStoreError) -> Result? {
        guard let directory = eventLog.directory, eventLog.slot != nil else {
            throw EventStoreError(.unavailable, reason: "there is no store on disk")
        }
        func run() throws(EventStoreError) -> Result? {
            if letterStore?.isInPlace != true {
                letterStore =
                    isMade
                    ? try DeadLetterStore(in: directory.path, patience: Self.patience)
                    : try DeadLetterStore.existing(in: directory.path, patience: Self.patience)
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

    /// Keeps dropped events as dead letters.
    func keepLetters(_ events: [StoredEvent], of index: Int, _ reason: DropReason) {
        guard deadLetters != nil else { return }
        let now = time.wallTime
        waitingLetters += events.map { DeadLetter($0, of: partitions[index].namespace, reason, at: now) }
        keepWaitingLetters()
    }

    /// Stores the waiting dead letters, unless another process writes, because delivery must not wait for it.
    func keepWaitingLetters() {
        guard !waitingLetters.isEmpty, let deadLetters else { return }
        do throws(EventStoreError) {
            _ = try withDeadLetters(isMade: true) { (store) throws(EventStoreError) in
                try store.keep(waitingLetters, within: deadLetters, at: time.wallTime)
            }
        } catch {
            let bytes = waitingLetters.reduce(0) { $0 + $1.payload.count }
            if error.code == .busy, bytes <= Self.maxWaitingBytes, !isClosing { return }
            for (namespace, letters) in Dictionary(grouping: waitingLetters, by: \.namespace) {
                partitions.first { $0.namespace.isExactly(namespace) }?.recipient?.notKept(letters.count, error.reason)
            }
        }
        waitingLetters = []
    }

    /// Removes dead letters that are too old, and queues the ones that an operator asked to resend.
    func maintainDeadLetters(of own: Set<ExactText>) {
        guard eventLog.slot != nil, !isClosing else { return }
        do throws(EventStoreError) {
            try withDeadLetters(isMade: false) { (store) throws(EventStoreError) in
                if let deadLetters { try store.keep([], within: deadLetters, at: time.wallTime) }
                for index in partitions.indices where own.contains(ExactText(partitions[index].namespace)) {
                    try resend(of: index, from: store)
                }
            }
        } catch  where error.code == .busy {
            // The next attempt follows in 30 s.
        } catch {
            fail("the dead letters cannot be used: \(error.reason)")
        }
    }

    private func resend(of index: Int, from letters: DeadLetterStore) throws(EventStoreError) {
        var count = 0
        defer {
            if count > 0 {
                note(.found(count), of: partitions[index].namespace)
                log.info("\(count) dead letters were put back into the queue, as an operator asked")
            }
        }
        try letters.takeDue(of: partitions[index].namespace) { (letters) throws(EventStoreError) in
            var addresses: [RecordAddress] = []
            for letter in letters {
                let address = letter.payload.withUnsafeBytes { payload in
                    // With the present time, so that they do not expire at once.
                    eventLog.append(
                        EventRecord(
                            namespace: index, isAnonymous: letter.isAnonymous, time: time.wallTime, sequence: 0,
                            payload: payload))
                }
                if let address { addresses.append(address) }
            }
            do throws(EventStoreError) {
                guard addresses.count == letters.count else {
                    throw EventStoreError(.full, reason: "the event log has no room for them")
                }
                try eventLog.sync()
            } catch {
                eventLog.finish(addresses)
                throw error
            }
            for address in addresses { add(address, to: index) }
            count += addresses.count
        }
    }
}
