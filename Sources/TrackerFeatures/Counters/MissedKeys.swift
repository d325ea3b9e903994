/// Counts the keys that reads miss. Only the first miss of a key takes a lock that all threads share.
package final class MissedKeys: Sendable {
    /// The maximum number of keys that a thread can find without that lock; then its list is cleared.
    private static let maximum = 1000

    /// The counts and the log of misses.
    package let counter = MissCounter()
    private let known = Sharded<[FeatureKey: MissCounter.Miss]>([:])

    /// Counts a miss if the key is known, and returns whether it is.
    @inline(__always)
    func countsKnown(_ key: FeatureKey) -> Bool {
        known.withLock { known in known.isEmpty ? nil : known[key]?.add() } != nil
    }

    /// Counts a miss.
    /// - Parameters:
    ///   - key: The key.
    ///   - first: Counts the first miss of the key; nil if it is not a miss.
    @inline(__always)
    func count(_ key: FeatureKey, _ first: (MissCounter) -> MissCounter.Miss?) {
        if countsKnown(key) { return }
        guard let miss = first(counter) else { return }
        known.withLock { known in
            if known.count >= Self.maximum { known = [:] }
            known[key] = miss
        }
    }

    /// Sets the counts of all keys to 0; see ``MissCounter/forget(logsAnew:)``.
    func forget(logsAnew: Bool) {
        counter.forget(logsAnew: logsAnew)
        known.replace(with: [:])
    }
}
