import FoundationEssentials
import TrackerConfig
import TrackerCore

extension JSONValue {
    /// Encodes a part of a status with its dates in UTC in the ISO 8601 format, or in milliseconds since 1970.
    init(ofStatus part: some Encodable, inMilliseconds: Bool = false) {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        if inMilliseconds {
            encoder.dateEncodingStrategy = .custom { date, encoder in
                var container = encoder.singleValueContainer()
                try container.encode(date.milliseconds)
            }
        }
        // All numbers of a status are finite, and its deepest part is a document's, so encoding cannot fail.
        self = (try? JSONValue(encoding: part, by: encoder, maxDepth: 256)) ?? .null
    }
}

extension TrackerStatus {
    /// The tracker's numbers for the page, without its samples.
    var json: JSONObject {
        let reasons = counters.droppedByReason.filter { $0.value > 0 }.sorted { $0.key.rawValue < $1.key.rawValue }
        func time(_ date: Date?) -> JSONValue { JSONValue(date?.milliseconds) }
        let members: [(String, JSONValue)] = [
            ("namespace", .string(namespace)), ("isPaused", .bool(isPaused)), ("isKept", .bool(isKept)),
            ("collector", JSONValue(text: collector)), ("waiting", .int(waiting)), ("setAside", .int(setAside)),
            ("oldestEvent", time(oldestEventTime)), ("perMinute", .int(lastMinute.sent)),
            ("isFailing", .bool(isFailing)), ("isLosing", .bool(lastMinute.dropped > 0)),
            ("lastSuccess", time(lastSuccessTime)), ("lastResponse", JSONValue(text: lastResponse)),
            ("failingSince", time(failingSince)), ("failuresInARow", .int(consecutiveFailures)),
            ("lastFailingResponse", JSONValue(text: lastFailingResponse)),
            ("lastFailingResponseTime", time(lastFailingResponseTime)),
            ("failingSinceVersion", JSONValue(failingSinceVersion)),
            ("failingSinceSettings", .array(failingSinceSettings.map(JSONValue.string))),
            ("tracked", .int(counters.tracked)), ("sent", .int(counters.sent)), ("retried", .int(counters.retried)),
            ("requests", .int(counters.requests)), ("dropped", .int(counters.dropped)),
            ("droppedByReason", .object(JSONObject(reasons.map { ($0.key.rawValue, .int($0.value)) }))),
            ("hour", ["sent": .int(lastHour.sent), "dropped": .int(lastHour.dropped)]),
        ]
        return JSONObject(members)
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

    /// A text, or null.
    init(text: String?) {
        self = text.map(JSONValue.string) ?? .null
    }
}

extension EventTap.ObservedEvent {
    /// The event for people; nil if its payload cannot be decoded, which never happens for the encoder's own.
    var json: JSONValue? {
        guard let payload = EventPayload(payload) else { return nil }
        let event = payload.selfDescribing
        let schema = event?["schema"]?.string
        return [
            "time": JSONValue(payload["dtm"].flatMap { Int($0) }), "namespace": .string(namespace),
            "id": .string(payload["eid"] ?? ""), "type": .string(payload["e"] ?? ""),
            "name": .string(Self.name(of: payload, schema: schema)), "schema": schema.map(JSONValue.string) ?? .null,
            "data": event?["data"] ?? .object(payload.ownParameters), "entities": .array(payload.entities),
        ]
    }

    /// The name of an event on one line.
    private static func name(of payload: EventPayload, schema: String?) -> String {
        func names(_ names: String...) -> String { names.compactMap { payload[$0] }.joined(separator: " / ") }
        switch payload["e"] {
        case "se": return names("se_ca", "se_ac", "se_la")
        case "pv", "pp": return names("url")
        case "tr": return names("tr_id")
        case "ti": return names("ti_id", "ti_sk")
        default:
            return schema.map {
                $0.replacing("iglu:", with: "", maxReplacements: 1).replacing("/jsonschema/", with: "/")
            } ?? payload["e"] ?? ""
        }
    }
}
