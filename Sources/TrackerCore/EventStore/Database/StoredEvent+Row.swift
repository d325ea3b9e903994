extension StoredEvent {
    /// Reads a row of id, time, anonymity, payload and checksum.
    /// - Returns: nil if the row is damaged: its checksum is wrong or, if it was written by a release without checksums,
    ///   its payload is no event.
    init?(_ row: SQLiteStatement) {
        let (id, time, isAnonymous) = (row.int64(0), row.int64(1), row.int64(2) != 0)
        let checksum = row.isNull(4) ? nil : row.int64(4)
        let event = row.withBytes(3) {
            StoredEvent(id: id, time: time, isAnonymous: isAnonymous, payload: $0, checksum: checksum)
        }
        guard let event else { return nil }
        self = event
    }

    /// Checks the values of a row; nil if they are damaged.
    init?(id: Int64, time: Int64, isAnonymous: Bool, payload: UnsafeRawBufferPointer, checksum: Int64?) {
        if let checksum {
            let own = RowChecksum.of(id: id, time: time, isAnonymous: isAnonymous, payload: payload)
            guard own == checksum else { return nil }
            self.init(id: id, isAnonymous: isAnonymous, payload: Array(payload))
        } else {
            let payload = Array(payload)
            guard EventScan.parameters(of: payload) != nil else { return nil }
            self.init(id: id, isAnonymous: isAnonymous, payload: payload)
        }
    }

    /// Reads a row without a check, whatever its payload is.
    init(unchecked row: SQLiteStatement) {
        self.init(id: row.int64(0), isAnonymous: row.int64(2) != 0, payload: row.bytes(3))
    }

    /// The namespace that the event itself names, cut at the bound of ``AtomicField/tna``.
    var namespace: String? { EventScan.value(of: "tna", in: payload) }

    /// The event's parameters; nil if its payload is no event.
    var members: [JSONObject.Member]? { EventScan.parameters(of: payload) }
}
