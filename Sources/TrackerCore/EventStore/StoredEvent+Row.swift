extension StoredEvent {
    /// Reads a row of id, time, anonymity, payload and checksum.
    /// - Returns: nil if the row is damaged: its checksum is wrong or, if it was written by a release without checksums,
    ///   its payload is no event.
    init?(_ row: SQLiteStatement) {
        let (id, time, isAnonymous) = (row.int64(0), row.int64(1), row.int64(2) != 0)
        let payload: [UInt8]? = row.withBytes(3) { bytes in
            if row.isNull(4) {
                let payload = Array(bytes)
                return EventScan.parameters(of: payload) != nil ? payload : nil
            }
            let checksum = RowChecksum.of(id: id, time: time, isAnonymous: isAnonymous, payload: bytes)
            return checksum == row.int64(4) ? Array(bytes) : nil
        }
        guard let payload else { return nil }
        self.init(id: id, isAnonymous: isAnonymous, payload: payload)
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
