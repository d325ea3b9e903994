/// References to an object for each lane of threads, so that threads that use the object do not meet at the count of its
/// references.
struct LaneReferences<Object: AnyObject & Sendable>: Sendable {
    /// A reference to the object, whose own references are counted in its stead.
    final class Reference: Sendable {
        let object: Object
        // Two counts must not be in one cache line.
        private let padding = InlineArray<12, Int>(repeating: 0)

        fileprivate init(_ object: Object) {
            self.object = object
        }
    }

    private let references: [Reference]

    init(_ object: Object) {
        references = (0..<ThreadLane.count).map { _ in Reference(object) }
    }

    var object: Object { references[0].object }

    /// The reference of a lane.
    subscript(lane: Int) -> Reference { references[lane] }
}
