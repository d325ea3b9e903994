/// Counts the events of earlier processes in steps, so that sending need not wait for the total: a million events take a fifth
/// of a second. The oldest are counted first. If the count is zero, no event is uncounted.
extension EventStorage {
    /// Finds the disk's number of a namespace, and counts the first of the events that it has there.
    func countOnDisk(_ index: Int) throws(EventStoreError) {
        guard let disk else { return }
        let key = try disk.key(of: partitions[index].namespace)
        let ids = try disk.ids(of: key)
        // The number is taken only if the events can be read: one without it is tried again.
        if let ids { try countStep(index, ids, on: disk) }
        partitions[index].key = key
    }

    /// Finds the events of namespaces to which the disk could not give a number before.
    package func countRest() {
        guard disk != nil, !isClosing else { return }
        do throws(EventStoreError) {
            for index in partitions.indices where partitions[index].key == nil { try countOnDisk(index) }
        } catch {
            diskFailed("events that wait on the disk cannot be read: \(error.reason)")
        }
    }

    /// Counts some more events.
    /// - Returns: Whether there are more to count; each call takes some milliseconds.
    package func countMore() -> Bool {
        guard !isClosing, let index = partitions.firstIndex(where: { $0.uncounted != nil }) else { return false }
        do throws(EventStoreError) {
            try countStep(index)
            return true
        } catch {
            logUncounted(index, error)
            return error.code == .corrupt && replaceDamagedDisk()
        }
    }

    /// Counts all events of a namespace.
    func countAll(_ index: Int) {
        count(index) { _ in true }
    }

    /// Counts until loaded events are counted, and not they alone: they may be removed without another look.
    /// - Parameters:
    ///   - index: The namespace.
    ///   - last: The id of the last of them on disk; nil for none.
    ///   - quantity: How many there are.
    func countAhead(_ index: Int, _ last: Int64?, _ quantity: Int) {
        guard let last else { return }
        count(index) { $0.lowerBound <= last || partitions[index].amount.events <= quantity }
    }

    /// Counts while a condition holds for the ids that are not counted yet. A damaged store is not replaced here, because
    /// the caller knows its ids.
    private func count(_ index: Int, while condition: (ClosedRange<Int64>) -> Bool) {
        do throws(EventStoreError) {
            while let ids = partitions[index].uncounted, condition(ids) { try countStep(index) }
        } catch {
            logUncounted(index, error)
        }
    }

    private func logUncounted(_ index: Int, _ error: EventStoreError) {
        log.error("the events of \(partitions[index].namespace.excerpt) cannot be counted: \(error.reason)")
    }

    private func countStep(_ index: Int) throws(EventStoreError) {
        guard let disk, let ids = partitions[index].uncounted else { return }
        try countStep(index, ids, on: disk)
    }

    private func countStep(
        _ index: Int, _ ids: ClosedRange<Int64>, on disk: SQLiteEventStore
    ) throws(EventStoreError) {
        var (amount, last) = try disk.amount(of: ids, limit: rowsPerCount)
        if let last { amount -= try unremovedAmount(within: ids.lowerBound...last, on: disk) }
        partitions[index].uncounted = if let last, last < ids.upperBound { last + 1...ids.upperBound } else { nil }
        partitions[index].amount += amount
        if amount.events > 0 { note(.found(amount.events), of: partitions[index].namespace) }
    }
}
