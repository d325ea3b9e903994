import DocumentTools
import TrackerConfig

extension WebConsole {
    /// Each tracker's numbers; with `?namespace=` one tracker's settings with their layers, and its last hour.
    func trackers(_ request: ConsoleRequest) throws(ConsoleError) -> JSONObject {
        let status = setup.status
        guard let namespace = request.query("namespace") else {
            return ["trackers": .array(status.trackers.map { .object($0.json) })]
        }
        guard let tracker = setup.registry.tracker(namespace) else {
            throw ConsoleError(404, "there is no tracker \(namespace.excerpt)")
        }
        let own = status.trackers.filter { $0.namespace.isExactly(namespace) }
        return [
            "tracker": [
                "namespace": .string(namespace), "endpoint": tracker.network.explain(\.endpoint).value ?? "",
                "collector": JSONValue(text: own.first?.collector),
                "hour": DeliveryHour(own, now: Int(setup.pipeline.now)).json,
                "settings": .array(tracker.explanations().map(\.row)),
            ]
        ]
    }
}

extension SettingExplanation {
    fileprivate var row: JSONValue {
        var object = JSONObject([("field", .string(field))] + members)
        if !overridden.isEmpty { object["overridden"] = .array(overridden.map { .object(JSONObject($0.members)) }) }
        return .object(object)
    }

    private var members: [(String, JSONValue)] {
        var members: [(String, JSONValue)] = [("layer", .string(source.rawValue))]
        if let value { members.append(("value", value)) }
        if let version { members.append(("version", .int(version))) }
        if let time { members.append(("time", .int(Int(time.milliseconds)))) }
        return members
    }
}
