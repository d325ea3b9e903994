import FoundationEssentials

/// The outcomes of fetches and documents, with repetitions merged, and the time of the next fetch.
package struct OutcomeHistory: Sendable {
    private static let maxChanges = 50

    /// The changes, the newest first. The last one of each kind is never removed.
    package private(set) var changes: [ConfigurationChange] = []

    /// The number of fetches, by the kind of their outcome.
    package private(set) var counts: [NamedCode<ConfigurationOutcome>: Int] = [:]

    /// The current series of failed fetches as one change; nil if the last fetch did not fail.
    package private(set) var outage: ConfigurationChange?

    /// The last outcome of the document that the source serves; nil before the first, and if the document is in use.
    package private(set) var pending: ConfigurationChange?

    /// The last outcome. A repetition is not reported as new.
    var last: ConfigurationOutcome?

    /// The time when the last fetch ended, in milliseconds since 1970.
    package private(set) var lastFetch: Int64?

    /// The time of the next fetch, in milliseconds since 1970; nil if the setup does not poll.
    package var nextPoll: Int64?

    /// Records the end of a fetch.
    /// - Parameters:
    ///   - outcome: The outcome of the fetch.
    ///   - time: The time of the end, in milliseconds since 1970.
    /// - Returns: Whether it is new: it differs from the last outcome, and from all since the version in use was
    ///   applied. Replicas that alternate between two documents are therefore reported once; each series of failures
    ///   is.
    mutating func add(_ outcome: ConfigurationOutcome, at time: Int64) -> Bool {
        counts[outcome.kind, default: 0] += 1
        let isRepeated = outcome == last
        last = outcome
        let date = Date(milliseconds: time)
        var change = ConfigurationChange(outcome, at: date)
        if outcome.isHeldAsReverted, isReverted(outcome.version) {
            // The reversion already reports it.
            if let pending, pending.kind == change.kind, pending.text == change.text {
                (change.firstTime, change.count) = (pending.firstTime, pending.count + 1)
            }
        } else {
            change = add(change)
        }
        // A fetch that a shutdown cancelled is no failure of the source.
        guard outcome.fetchError?.code != .shutDown else { return !isRepeated }
        lastFetch = time
        guard outcome.kind != .failed else {
            change.firstTime = outage?.firstTime ?? date
            change.count = (outage?.count ?? 0) + 1
            outage = change
            return !isRepeated
        }
        outage = nil
        let isInUse =
            outcome.kind == .applied || outcome.kind == .notModified
            || (outcome.kind == .unchanged && !outcome.isOtherContent)
        pending = isInUse ? nil : change
        return !isRepeated && change.count == 1
    }

    /// Whether the configuration in use was restored by the rollback of a version.
    private func isReverted(_ version: Int?) -> Bool {
        let last = changes.first { $0.isOfVersionInUse }
        return last?.kind == .reverted && last?.version == version
    }

    /// Records a change. If it repeats an earlier one since the last version was applied or reverted, both are merged.
    /// - Returns: The change, merged with its repetitions.
    @discardableResult
    mutating func add(_ change: ConfigurationChange) -> ConfigurationChange {
        var change = change
        let repeated = changes.prefix { !$0.isOfVersionInUse }.firstIndex {
            $0.kind == change.kind && $0.text == change.text && !change.isOfVersionInUse
        }
        if let repeated {
            let earlier = changes.remove(at: repeated)
            (change.firstTime, change.count) = (earlier.firstTime, earlier.count + change.count)
        }
        changes.insert(change, at: 0)
        if changes.count > Self.maxChanges, let index = oldestRepeatedKind { changes.remove(at: index) }
        return change
    }

    /// The oldest change that is not the last of its kind.
    private var oldestRepeatedKind: Int? {
        changes.indices.last { index in changes[..<index].contains { $0.kind == changes[index].kind } }
    }
}

extension ConfigurationChange {
    /// Whether it changed the version in use.
    fileprivate var isOfVersionInUse: Bool { kind == .applied || kind == .reverted }
}
