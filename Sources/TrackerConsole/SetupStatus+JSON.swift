import FoundationEssentials
import TrackerConfig

extension JSONValue {
    /// A part of a status as `/status` has it, but with times in milliseconds since 1970.
    init(ofStatus part: some Encodable) {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(date.milliseconds)
        }
        // No part of a status has a number that is not finite, and nothing else can fail.
        self = (try? JSONValue(encoding: part, by: encoder)) ?? .null
    }
}

extension TrackerStatus {
    /// The tracker's numbers for the page, without its samples.
    var json: JSONObject {
        let reasons = counters.droppedByReason.filter { $0.value > 0 }.sorted { $0.key.rawValue < $1.key.rawValue }
        var object: JSONObject = [
            "namespace": .string(namespace), "isPaused": .bool(isPaused), "isKept": .bool(isKept),
            "collector": JSONValue(text: collector), "waiting": .int(waiting), "perMinute": .int(lastMinute.sent),
            "oldestEvent": JSONValue(oldestEventTime?.milliseconds),
            "lastSuccess": JSONValue(lastSuccessTime?.milliseconds),
            "failingSince": JSONValue(failingSince?.milliseconds), "failuresInARow": .int(consecutiveFailures),
            "lastResponse": JSONValue(text: lastResponse), "setAside": .int(setAside),
        ]
        object["isFailing"] = .bool(isFailing)
        object["isLosing"] = .bool(lastMinute.dropped > 0)
        object["lastFailingResponse"] = JSONValue(text: lastFailingResponse)
        object["lastFailingResponseTime"] = JSONValue(lastFailingResponseTime?.milliseconds)
        object["failingSinceVersion"] = JSONValue(failingSinceVersion)
        object["failingSinceSettings"] = .array(failingSinceSettings.map(JSONValue.string))
        object["tracked"] = .int(counters.tracked)
        object["sent"] = .int(counters.sent)
        object["retried"] = .int(counters.retried)
        object["requests"] = .int(counters.requests)
        object["dropped"] = .int(counters.dropped)
        object["droppedByReason"] = .object(JSONObject(reasons.map { ($0.key.rawValue, .int($0.value)) }))
        object["hour"] = ["sent": .int(lastHour.sent), "dropped": .int(lastHour.dropped)]
        return object
    }
}

extension EventTap.Outcome {
    /// The outcome for the page.
    var json: JSONValue {
        ["id": .string(id), "reason": JSONValue(text: reason?.rawValue), "detail": .string(detail)]
    }
}

extension JSONValue {
    /// A number, or null.
    init(_ number: (some BinaryInteger)?) {
        self = number.map { .int(Int($0)) } ?? .null
    }

    /// A number, or null.
    init(number: Double?) {
        self = number.map { JSONValue(shortest: $0) } ?? .null
    }

    /// A text, or null.
    init(text: String?) {
        self = text.map(JSONValue.string) ?? .null
    }
}
