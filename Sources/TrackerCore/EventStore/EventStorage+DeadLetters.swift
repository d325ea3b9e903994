extension EventStorage {
    /// Removes dead letters that are too old, and puts those back into the queue that an operator asked for.
    func tendDeadLetters() {
        guard let directory, let slot, let disk, !isClosing else { return }
        let requests = directory.takeResendRequests(slot)
        for (namespace, amount) in resend(requests, from: disk) { adopt(amount, of: namespace.text) }
        guard let deadLetters else { return }
        do throws(EventStoreError) {
            try disk.trimDeadLetters(to: deadLetters, at: time.wallTime)
        } catch {
            log.debug("old dead letters could not be removed: \(error.reason)")
        }
    }

    /// Puts dead letters back into the queue of their store.
    /// - Returns: What was put back, by namespace.
    func resend(_ requests: [DeadLetter.Filter], from store: SQLiteEventStore) -> [ExactText: EventAmount] {
        var requeued: [ExactText: EventAmount] = [:]
        for filter in requests {
            do throws(EventStoreError) {
                requeued.merge(try store.requeue(filter, at: time.wallTime), uniquingKeysWith: +)
            } catch {
                log.error("dead letters in \(store.path) could not be put back into the queue: \(error.reason)")
            }
        }
        let count = requeued.values.reduce(0) { $0 + $1.events }
        if count > 0 { log.info("\(count) dead letters were put back into the queue, as an operator asked") }
        return requeued
    }

    /// Takes the dead letters of a store that is given up.
    func moveDeadLetters(from old: SQLiteEventStore, to fresh: SQLiteEventStore) {
        do throws(EventStoreError) {
            // Without bounds of its own, the process keeps what another one kept.
            let bounds = deadLetters ?? DeadLetters.Bounds(maxBytes: .max, maxAge: .tenYears)
            try old.moveDeadLetters(to: fresh, within: bounds, at: time.wallTime)
        } catch {
            log.error("the dead letters in \(old.path) could not all be moved: \(error.reason)")
        }
    }
}
