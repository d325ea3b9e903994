/// An event that was dropped and kept.
package struct DeadLetter: Sendable, Equatable {
    /// Which of the dead letters are meant; nil means each.
    package struct Filter: Sendable, Equatable {
        package var namespace: String?
        package var reason: DropReason?
        /// Whether only those are meant that are to be sent again.
        var isDue: Bool

        package init(namespace: String? = nil, reason: DropReason? = nil, isDue: Bool = false) {
            (self.namespace, self.reason, self.isDue) = (namespace, reason, isDue)
        }
    }

    /// Its number within the file; a later letter has a higher one.
    package let id: Int64

    package let namespace: String

    /// The name of the ``DropReason``; a newer release may know more of them.
    package let reason: String

    /// When the event was dropped, in milliseconds since 1970.
    package let time: Int64

    package let isAnonymous: Bool

    /// The JSON object that was to be sent.
    package let payload: [UInt8]

    /// Whether it is to be sent again.
    package var isDue = false

    /// The checksum of the event.
    var checksum: Int64 {
        Int64(bitPattern: payload.withUnsafeBytes { RowChecksum.of($0, isAnonymous ? 1 : 0) })
    }

    /// The event as it is sent again.
    var event: StoredEvent { StoredEvent(id: id, isAnonymous: isAnonymous, payload: payload) }

    /// When the event was dropped, in UTC as RFC 3339 writes it.
    package var timeText: String { Timestamp.iso8601(milliseconds: time) }

    /// The event's id; nil if the payload names none.
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
