import Synchronization

/// Counts what is open at a time, such as streams of events, so that forgotten clients cannot use up a process.
package final class Places: Sendable {
    /// One of them, until it is released.
    package final class Place: Sendable {
        private let places: Places

        fileprivate init(_ places: Places) {
            self.places = places
        }

        deinit {
            places.taken.subtract(1, ordering: .relaxed)
        }
    }

    private let most: Int
    private let taken = Atomic<Int>(0)

    /// Creates as many places, 32 by default.
    package init(_ most: Int = 32) {
        self.most = most
    }

    /// A place for one more; nil if there are too many.
    package func take() -> Place? {
        guard taken.add(1, ordering: .relaxed).newValue <= most else {
            taken.subtract(1, ordering: .relaxed)
            return nil
        }
        return Place(self)
    }
}
