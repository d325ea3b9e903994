extension StoredEvent {
    /// Reads a row of id, time, anonymity, payload and checksum.
    /// - Returns: nil if the row is damaged: its checksum is wrong or, if it was written by a release without checksums,
    ///   its payload is no event.
    init?(_ row: SQLiteStatement) {
        let (id, time, isAnonymous) = (row.int64(0), row.int64(1), row.int64(2) != 0)
        let payload: [UInt8]? = row.withBytes(3) { bytes in
            if row.isNull(4) {
                let payload = Array(bytes)
                return Self.members(of: payload) != nil ? payload : nil
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

    /// The namespace that the event itself names.
    var namespace: String? {
        guard case .string(let name)? = Self.members(of: payload)?.first(where: { $0.name == "tna" })?.value.content
        else { return nil }
        return name
    }

    /// The event's parameters; nil if its payload is no event.
    var members: [JSONObject.Member]? {
        Self.members(of: payload)?.map { ($0.name, $0.value.approximateValue) }
    }

    /// The members of a payload that is an event: an object of strings with an id; nil for anything else.
    private static func members(of payload: [UInt8]) -> [JSONNode.Member]? {
        // That a row is damaged is counted; how it is damaged would not help the operator.
        guard let node = try? JSONReader.read(payload), case .object(let members) = node.content,
            members.contains(where: { $0.name == "eid" }),
            members.allSatisfy({ if case .string = $0.value.content { true } else { false } })
        else { return nil }
        return members
    }
}
