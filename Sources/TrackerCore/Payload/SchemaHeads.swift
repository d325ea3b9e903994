import Synchronization

/// The heads of the schemas that were seen, so many that no service has more, without a lock; none is removed.
final class SchemaHeads: @unchecked Sendable {
    private static let capacity = 1024
    /// The bytes of the longest schema whose head is kept. Iglu has none that is half as long.
    private static let longest = 512
    /// How many places a head may have, so that a full table is not looked through.
    private static let attempts: UInt64 = 4

    private let heads = UnsafeMutablePointer<Atomic<Unmanaged<SchemaHead>?>>.allocate(capacity: capacity)

    init() {
        for index in 0..<Self.capacity { (heads + index).initialize(to: Atomic(nil)) }
    }

    deinit {
        for index in 0..<Self.capacity { heads[index].load(ordering: .acquiring)?.release() }
        heads.deinitialize(count: Self.capacity)
        heads.deallocate()
    }

    /// Runs `body` with the head of a schema, which is made where it is not known.
    /// - Parameters:
    ///   - schema: The schema.
    ///   - kind: Whether it is an event's or an entity's.
    ///   - usesBase64: Whether events are sent as base64.
    ///   - body: Must not keep the head.
    @inline(__always)
    func use(_ schema: String, _ kind: Envelope.Kind, usesBase64: Bool, _ body: (SchemaHead) -> Void) {
        func use(_ bytes: UnsafeBufferPointer<UInt8>) {
            self.use(SchemaHead.Key(schema: UnsafeRawBufferPointer(bytes), kind: kind, usesBase64: usesBase64), body)
        }
        // Every text that Swift made is contiguous.
        if schema.utf8.withContiguousStorageIfAvailable(use) == nil { Array(schema.utf8).withUnsafeBufferPointer(use) }
    }

    @inline(__always)
    private func use(_ key: SchemaHead.Key, _ body: (SchemaHead) -> Void) {
        let first = key.hash &>> 32
        for attempt in 0..<Self.attempts {
            let place = place(first, attempt)
            guard let known = place.pointee.load(ordering: .acquiring) else { break }
            if known._withUnsafeGuaranteedRef({ $0.isHead(of: key) }) {
                known._withUnsafeGuaranteedRef(body)
                return
            }
        }
        body(make(key, from: first))
    }

    /// Makes a head, and keeps it if one of its places is free.
    private func make(_ key: SchemaHead.Key, from first: UInt64) -> SchemaHead {
        let head = SchemaHead(key)
        if key.schema.count > Self.longest { return head }
        let kept = Unmanaged.passRetained(head)
        for attempt in 0..<Self.attempts {
            let place = place(first, attempt)
            if place.pointee.compareExchange(expected: nil, desired: kept, ordering: .acquiringAndReleasing).exchanged {
                return head
            }
        }
        kept.release()
        return head
    }

    private func place(_ first: UInt64, _ attempt: UInt64) -> UnsafeMutablePointer<Atomic<Unmanaged<SchemaHead>?>> {
        heads + Int(truncatingIfNeeded: (first &+ attempt) % UInt64(Self.capacity))
    }
}
