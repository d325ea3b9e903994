import Synchronization

/// Tells threads when to end.
package final class Stop: Sendable {
    private let flag = Atomic<Bool>(false)

    package init() {}

    package var isOver: Bool { flag.load(ordering: .relaxed) }

    package func end() {
        flag.store(true, ordering: .relaxed)
    }
}
