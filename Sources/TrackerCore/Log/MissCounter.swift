import Synchronization

/// Counts what code asks for and does not get, such as the trackers of unknown namespaces, with one line of the log for
/// each name.
package final class MissCounter: Sendable {
    /// The most names with a line and a count of their own; further ones count in the total alone.
    package static let maxNames = 100

    /// A name and how often it was missed.
    package struct Miss: Sendable, Equatable {
        /// The sentence about it for the status, without the count.
        package let text: String
        /// The number of misses since the last ``MissCounter/forget(logsAnew:)``.
        package fileprivate(set) var count: Int
    }

    private static let maxLength = 300

    private let misses = Locked<[ExactText: Miss]>([:])
    private let count = Atomic<Int>(0)

    package init() {}

    /// The number of all misses.
    package var total: Int { count.load(ordering: .relaxed) }

    /// The names that were missed since the last ``forget(logsAnew:)``, the most frequent first; at most ``maxNames``.
    package var all: [Miss] {
        misses.withLock { Array($0.values) }.filter { $0.count > 0 }
            .sorted { ($1.count, $0.text) < ($0.count, $1.text) }
    }

    /// Counts a miss, and logs the first of each name as a warning.
    /// - Parameters:
    ///   - name: The name.
    ///   - log: The log.
    ///   - line: The line of the log.
    ///   - text: The sentence for the status; nil, the default, takes the line.
    package func count(
        _ name: String, _ log: Log, _ line: @autoclosure () -> String, text: @autoclosure () -> String? = nil
    ) {
        count.wrappingAdd(1, ordering: .relaxed)
        let key = ExactText(name.utf8.count > Self.maxLength ? name.oneLine(most: Self.maxLength) : name)
        let isKnown = misses.withLock { misses in
            misses[key]?.count += 1
            return misses[key] != nil || misses.count >= Self.maxNames
        }
        if isKnown { return }
        // Outside the lock, because the text may come from errors of the service's own types.
        let line = line()
        let text = (text() ?? line).oneLine(most: Self.maxLength)
        let place = misses.withLock { misses -> Int? in
            if misses[key] != nil || misses.count >= Self.maxNames {
                misses[key]?.count += 1
                return nil
            }
            misses[key] = Miss(text: text, count: 1)
            return misses.count
        }
        guard let place else { return }
        log.warning(place < Self.maxNames ? line : "\(line); further names of this kind are counted without a line")
    }

    /// Sets the counts of all names to 0; the total stays.
    /// - Parameter logsAnew: Whether the next miss of each name has a line of the log again.
    package func forget(logsAnew: Bool) {
        misses.withLock { misses in
            misses = logsAnew ? [:] : misses.mapValues { Miss(text: $0.text, count: 0) }
        }
    }
}
