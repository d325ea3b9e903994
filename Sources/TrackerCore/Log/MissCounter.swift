import Synchronization

/// Counts requests for names that do not exist, such as trackers of unknown namespaces, with one log line for each
/// name.
package final class MissCounter: Sendable {
    /// The maximum number of names with a line and a count of their own; further names count in the total only.
    package static let maxNames = 100

    /// A missed name and the number of its misses.
    package final class Miss: Sendable {
        /// The sentence about it for the status, without the count.
        package let text: String
        private let misses = Atomic(0)

        fileprivate init(_ text: String) { self.text = text }

        /// The number of misses since the last ``MissCounter/forget(logsAnew:)``.
        package var count: Int { misses.load(ordering: .relaxed) }

        /// Counts a miss, without a lock.
        package func add(_ count: Int = 1) { misses.wrappingAdd(count, ordering: .relaxed) }
    }

    private static let maxLength = 300

    private let misses = Locked<[ExactText: Miss]>([:])
    /// Counts the misses of names without a line, and the misses before the last ``forget(logsAnew:)``.
    private let others = Miss("")

    package init() {}

    /// The number of all misses.
    package var total: Int { misses.withLock { $0.values.reduce(others.count) { $0 + $1.count } } }

    /// The names that were missed since the last ``forget(logsAnew:)``, the most frequent first; at most ``maxNames``.
    package var all: [(text: String, count: Int)] {
        misses.withLock { $0.values.map { ($0.text, $0.count) } }.filter { $0.count > 0 }
            .sorted { ($1.count, $0.text) < ($0.count, $1.text) }
    }

    /// Counts a miss, and logs the first of each name as a warning.
    /// - Parameters:
    ///   - name: The name.
    ///   - log: The log.
    ///   - line: The line of the log.
    ///   - text: The sentence for the status; nil, the default, takes the line.
    /// - Returns: The counter for the next misses of the name, until ``forget(logsAnew:)``.
    @discardableResult
    package func count(
        _ name: String, _ log: Log, _ line: @autoclosure () -> String, text: @autoclosure () -> String? = nil
    ) -> Miss {
        let key = ExactText(name.utf8.count > Self.maxLength ? name.oneLine(most: Self.maxLength) : name)
        let known = misses.withLock { $0[key] ?? ($0.count >= Self.maxNames ? others : nil) }
        if let known {
            known.add()
            return known
        }
        // Outside the lock, because the text may come from errors of the service's own types.
        let line = line()
        let miss = Miss((text() ?? line).oneLine(most: Self.maxLength))
        let (counted, number) = misses.withLock { misses -> (Miss, Int?) in
            if let other = misses[key] ?? (misses.count >= Self.maxNames ? others : nil) { return (other, nil) }
            misses[key] = miss
            return (miss, misses.count)
        }
        counted.add()
        if let number {
            log.warning(
                number < Self.maxNames ? line : "\(line); further names of this kind are counted without a line")
        }
        return counted
    }

    /// Sets the counts of all names to 0; the total stays.
    /// - Parameter logsAnew: Whether the next miss of each name is logged again.
    package func forget(logsAnew: Bool) {
        misses.withLock { misses in
            for miss in misses.values { others.add(miss.count) }
            misses = logsAnew ? [:] : misses.mapValues { Miss($0.text) }
        }
    }
}
