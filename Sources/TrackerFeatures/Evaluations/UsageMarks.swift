import Synchronization

/// Marks of the features of one table: whether a plain value was read since the last look.
///
/// Reading a value checks a byte and writes it once, so threads do not contend for it, and nothing is counted.
final class UsageMarks: Sendable {
    /// The mark of one feature. It is valid as long as the table whose value was found.
    struct Mark: @unchecked Sendable, Hashable {
        private let byte: UnsafeMutablePointer<Atomic<Bool>>

        fileprivate init(_ byte: UnsafeMutablePointer<Atomic<Bool>>) { self.byte = byte }

        /// Notes that the feature was read.
        @inline(__always)
        func set() {
            if !byte.pointee.load(ordering: .relaxed) { byte.pointee.store(true, ordering: .relaxed) }
        }

        // Two values are the same whichever table they are in.
        static func == (left: Mark, right: Mark) -> Bool { true }
        func hash(into hasher: inout Hasher) {}
    }

    private let names: [String]
    nonisolated(unsafe) private let bytes: UnsafeMutablePointer<Atomic<Bool>>

    /// Creates marks that are not set.
    /// - Parameter names: The features' names.
    init(_ names: [String]) {
        self.names = names
        bytes = .allocate(capacity: max(1, names.count))
        for index in names.indices { (bytes + index).initialize(to: Atomic(false)) }
    }

    deinit {
        bytes.deinitialize(count: names.count).deallocate()
    }

    /// The mark of the feature at an index.
    subscript(_ index: Int) -> Mark { Mark(bytes + index) }

    /// The features that were read since the last call.
    func take() -> [String] {
        names.indices.filter {
            // Most are not set, and are only read.
            bytes[$0].load(ordering: .relaxed) && bytes[$0].exchange(false, ordering: .relaxed)
        }.map { names[$0] }
    }
}
