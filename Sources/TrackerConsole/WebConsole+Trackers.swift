import DocumentTools
import TrackerConfig

extension WebConsole {
    /// Each tracker's settings with their layers, its counters, its health, and its queue over the last minutes.
    var trackers: JSONObject {
        get async {
            let samples = setup.feed.samples
            var list: [JSONValue] = []
            for (namespace, tracker) in setup.registry.trackers.sorted(by: { $0.key < $1.key }) {
                let health = await tracker.health
                list.append([
                    "namespace": .string(namespace), "endpoint": tracker.network.explain(\.endpoint).value ?? "",
                    "isPaused": .bool(tracker.isPaused || health.isPaused),
                    "counters": .object(health.counters.wholeJSON),
                    "health": [
                        "collector": health.collector.map { .string(EndpointURL.withoutSecrets($0)) } ?? .null,
                        "failuresInARow": .int(health.consecutiveFailures),
                        "lastAnswer": health.lastResponse.map(JSONValue.string) ?? .null,
                        "oldestEvent": JSONValue(health.oldestEvent),
                    ],
                    "settings": .array(tracker.explanations().map { $0.explanation.json(of: $0.field) }),
                    "queue": .array((samples[namespace] ?? []).map { [.int(Int($0.time)), .int($0.count)] }),
                ])
            }
            return ["trackers": .array(list)]
        }
    }
}

extension TrackerCounters {
    /// The counters as numbers.
    var json: JSONObject {
        [
            "tracked": .int(tracked), "sent": .int(sent), "stored": .int(stored), "retried": .int(retried),
            "requests": .int(requests), "dropped": .int(dropped),
        ]
    }

    fileprivate var wholeJSON: JSONObject {
        var object = json
        let reasons = droppedByReason.filter { $0.value > 0 }.sorted { $0.key.rawValue < $1.key.rawValue }
        object["droppedByReason"] = .object(JSONObject(reasons.map { ($0.key.rawValue, .int($0.value)) }))
        return object
    }
}

extension SettingExplanation {
    fileprivate func json(of field: String) -> JSONValue {
        var object = JSONObject([("field", .string(field))] + effective.members)
        if !overridden.isEmpty { object["over"] = .array(overridden.map { .object(JSONObject($0.members)) }) }
        return .object(object)
    }
}

extension SettingExplanation.Candidate {
    fileprivate var members: [(String, JSONValue)] {
        var members: [(String, JSONValue)] = [("layer", .string(source.rawValue))]
        if let value { members.append(("value", value)) }
        if let version { members.append(("version", .int(version))) }
        if let time { members.append(("time", .int(Int(time)))) }
        return members
    }
}
