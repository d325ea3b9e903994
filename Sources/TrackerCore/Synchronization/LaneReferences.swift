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

    let object: Object
    // Made when they are first used: most namespaces of many are used by few threads.
    private var references = ThreadLane.Each<Reference?>(repeating: nil)

    init(_ object: Object) {
        self.object = object
    }

    /// The reference of a lane.
    subscript(lane: Int) -> Reference {
        mutating get {
            if let reference = references[lane] { return reference }
            let reference = Reference(object)
            references[lane] = reference
            return reference
        }
    }
}
