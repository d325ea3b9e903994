/// A dropped event that was kept.
package struct DeadLetter: Sendable, Equatable {
    /// Criteria for dead letters; nil matches every letter.
    package struct Filter: Sendable, Equatable {
        package var namespace: String?
        package var reason: DropReason?
        /// Whether only letters match that are to be sent again.
        var isDue: Bool

        package init(namespace: String? = nil, reason: DropReason? = nil, isDue: Bool = false) {
            (self.namespace, self.reason, self.isDue) = (namespace, reason, isDue)
        }
    }

    /// The number within the file; later letters have higher numbers.
    package let id: Int64

    package let namespace: String

    /// The name of the ``DropReason``; a newer release may know more of them.
    package let reason: String

    /// The time of the drop, in milliseconds since 1970.
    package let time: Int64

    package let isAnonymous: Bool

    /// The event's JSON object.
    package let payload: [UInt8]

    /// Whether the event is to be sent again.
    package var isDue = false

    /// The checksum of the event.
    var checksum: Int64 {
        Int64(bitPattern: payload.withUnsafeBytes { RowChecksum.of($0, isAnonymous ? 1 : 0) })
    }

    /// The event in the form in which it is sent again.
    var event: StoredEvent { StoredEvent(id: id, isAnonymous: isAnonymous, payload: payload) }

    /// The time of the drop, in UTC and the format of RFC 3339.
    package var timeText: String { Timestamp.iso8601(milliseconds: time) }

    /// The event's id; nil if the payload has none.
    package var eventID: String? { EventScan.value(of: "eid", in: payload) }
}

extension DeadLetter {
    init(_ event: StoredEvent, of namespace: String, _ reason: DropReason, at time: Int64) {
        self.init(
            id: 0, namespace: namespace, reason: reason.rawValue, time: time, isAnonymous: event.isAnonymous,
            payload: event.payload)
    }

    /// Reads a row of id, namespace, reason, time, anonymity, payload, a checksum, and whether it is due.
    init(_ row: SQLiteStatement) {
        self.init(
            id: row.int64(0), namespace: row.text(1), reason: row.text(2), time: row.int64(3),
            isAnonymous: row.int64(4) != 0, payload: row.bytes(5), isDue: row.int64(7) != 0)
    }
}
