import Synchronization

/// Limits how many things, such as streams of events, are open, so that forgotten clients cannot exhaust a process.
package final class CapacityLimit: Sendable {
    /// The right to have one thing open, until it is released.
    package final class Permit: Sendable {
        private let limit: CapacityLimit

        fileprivate init(_ limit: CapacityLimit) {
            self.limit = limit
        }

        deinit {
            limit.taken.subtract(1, ordering: .relaxed)
        }
    }

    private let most: Int
    private let taken = Atomic<Int>(0)

    /// Creates a limit.
    /// - Parameter most: The maximum number of open things; 32 by default.
    package init(_ most: Int = 32) {
        self.most = most
    }

    /// Takes a permit; nil if all are in use.
    package func take() -> Permit? {
        guard taken.add(1, ordering: .relaxed).newValue <= most else {
            taken.subtract(1, ordering: .relaxed)
            return nil
        }
        return Permit(self)
    }
}
