import Synchronization
import TrackerConfig

/// Counts the streams that are open, so that forgotten clients cannot use up a service.
final class ConsoleStreams: Sendable {
    private static let most = 32

    /// One of them, until it is released.
    final class Place: Sendable {
        private let streams: ConsoleStreams

        fileprivate init(_ streams: ConsoleStreams) {
            self.streams = streams
        }

        deinit {
            streams.count.subtract(1, ordering: .relaxed)
        }
    }

    private let count = Atomic<Int>(0)

    /// A place for one more; nil if there are too many.
    func take() -> Place? {
        guard count.add(1, ordering: .relaxed).newValue <= Self.most else {
            count.subtract(1, ordering: .relaxed)
            return nil
        }
        return Place(self)
    }
}
