import Synchronization

/// Limits how many things, such as streams of events, are open, so that forgotten clients cannot exhaust a process.
package final class Places: Sendable {
    /// A place in use, until it is released.
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

    /// Creates a number of places; 32 by default.
    package init(_ most: Int = 32) {
        self.most = most
    }

    /// Takes a place; nil if all are in use.
    package func take() -> Place? {
        guard taken.add(1, ordering: .relaxed).newValue <= most else {
            taken.subtract(1, ordering: .relaxed)
            return nil
        }
        return Place(self)
    }
}
