/// What of a session outlives the process.
package struct SessionRecord: Sendable, Equatable {
    package var userId: String
    package var id: String
    package var index: Int
    package var previousId: String?
    package var eventIndex: Int
    package var firstEventId: String
    package var firstEventTime: String
    /// The time of the last event, in milliseconds since 1970.
    package var lastActivity: Int64
}

extension SessionRecord {
    /// The record as JSON.
    var bytes: [UInt8] {
        var object: JSONObject = [
            "userId": .string(userId), "id": .string(id), "index": .int(index), "eventIndex": .int(eventIndex),
            "firstEventId": .string(firstEventId), "firstEventTime": .string(firstEventTime),
            "lastActivity": .int(Int(lastActivity)),
        ]
        object["previousId"] = previousId.map(JSONValue.string)
        return Array("\(JSONValue.object(object))".utf8)
    }

    /// Reads a record; nil where it is none, which the caller warns of.
    init?(bytes: [UInt8]) {
        guard let value = try? JSONReader.read(bytes).value,
            let userId = value["userId"]?.string, let id = value["id"]?.string, let index = value["index"]?.int,
            let eventIndex = value["eventIndex"]?.int, let firstEventId = value["firstEventId"]?.string,
            let firstEventTime = value["firstEventTime"]?.string, let lastActivity = value["lastActivity"]?.int,
            // From a disk: they are counted up and subtracted from.
            [index, eventIndex, lastActivity].allSatisfy({ 0...(1 << 53) ~= $0 })
        else { return nil }
        self.init(
            userId: userId, id: id, index: index, previousId: value["previousId"]?.string, eventIndex: eventIndex,
            firstEventId: firstEventId, firstEventTime: firstEventTime, lastActivity: Int64(lastActivity))
    }
}
