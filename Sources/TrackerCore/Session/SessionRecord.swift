/// The data of a session that is kept for the next process.
package struct SessionRecord: Sendable, Equatable {
    package var userID: String
    package var id: String
    package var index: Int
    package var previousID: String?
    package var eventIndex: Int
    package var firstEventID: String
    package var firstEventTime: String
    /// The time of the last event, in milliseconds since 1970.
    package var lastActivity: Int64
}

extension SessionRecord {
    /// The record as JSON.
    var object: JSONObject {
        var object: JSONObject = [
            "userId": .string(userID), "id": .string(id), "index": .int(index), "eventIndex": .int(eventIndex),
            "firstEventId": .string(firstEventID), "firstEventTime": .string(firstEventTime),
            "lastActivity": .int(Int(lastActivity)),
        ]
        object["previousId"] = previousID.map(JSONValue.string)
        return object
    }

    /// Reads a record; nil if the value is not a record.
    init?(_ value: JSONValue) {
        guard let userID = value["userId"]?.string, let id = value["id"]?.string, let index = value["index"]?.int,
            let eventIndex = value["eventIndex"]?.int, let firstEventID = value["firstEventId"]?.string,
            let firstEventTime = value["firstEventTime"]?.string, let lastActivity = value["lastActivity"]?.int,
            // Bounded, because they come from a disk and are used in sums and differences.
            [index, eventIndex, lastActivity].allSatisfy({ 0...(1 << 53) ~= $0 }),
            [userID, id, firstEventID, firstEventTime].allSatisfy({ $0.utf8.allSatisfy(Self.isPlain) })
        else { return nil }
        self.init(
            userID: userID, id: id, index: index, previousID: value["previousId"]?.string, eventIndex: eventIndex,
            firstEventID: firstEventID, firstEventTime: firstEventTime, lastActivity: Int64(lastActivity))
    }

    /// Whether a byte needs no escape in an event: not a control character, quotation mark or backslash.
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }
}
