import TrackerCommandLine
import TrackerCore

/// The list of dead letters, for people or as JSON.
struct DeadLetterList {
    /// The service's dead letters; nil if there is no file.
    let letters: DeadLetterStore?
    /// Selects the dead letters to list.
    let filter: DeadLetter.Filter

    /// Writes the list to standard output.
    /// - Throws: If the file cannot be read.
    func show(isJSON: Bool) throws(EventStoreError) {
        var totals: [String: EventAmount] = [:]
        var events: [JSONValue] = []
        try letters?.forEach(filter) { letter in
            totals[letter.reason, default: .zero] += EventAmount(events: 1, bytes: letter.payload.count)
            if isJSON {
                events.append(.object(letter.summary))
            } else {
                StandardStream.output.write(line: letter.line)
            }
        }
        if isJSON {
            let byReason = totals.sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) }
            StandardStream.output.write(["events": .array(events), "totals": .object(JSONObject(byReason))])
        } else {
            for (reason, amount) in totals.sorted(by: { $0.key < $1.key }) {
                StandardStream.output.write(line: "\(reason): \(amount.text)")
            }
            StandardStream.output.write(line: "total: \(totals.values.reduce(.zero, +).text)")
        }
    }
}

extension DeadLetter {
    fileprivate var line: String {
        let id = eventID ?? "no id"
        let state = isDue ? ", to be sent again" : ""
        return
            "\(timeText)  \(reason)  \(namespace.oneLine(most: 60))  \(id.oneLine(most: 60))  \(payload.count) bytes\(state)"
    }

    fileprivate var summary: JSONObject {
        [
            "namespace": .string(namespace), "id": eventID.map(JSONValue.string) ?? .null, "reason": .string(reason),
            "time": .string(timeText), "bytes": .int(payload.count), "isAnonymous": .bool(isAnonymous),
            "isToBeResent": .bool(isDue),
        ]
    }
}

extension EventAmount {
    fileprivate var text: String { "\(counted(events, "event")), \(bytes) bytes" }

    fileprivate var json: JSONValue { ["events": .int(events), "bytes": .int(bytes)] }
}
