import DocumentTools
import FoundationEssentials
import TrackerConfig
import TrackerCore

extension WebConsole {
    /// Whether the service can work, for load balancers and probes: 200 or 503 with the lines of the status.
    /// - Parameter isStrict: Whether a failing tracker counts as a failure of the service.
    /// - Returns: The answer.
    func health(isStrict: Bool) -> ConsoleResponse {
        let status = setup.status
        let isFailure = !status.isHealthy || isStrict && !status.failing.isEmpty
        let isWarning = status.lines.contains { $0.level == .problem || $0.level == .warning }
        let verdict: JSONValue = isFailure ? "fail" : isWarning ? "warn" : "pass"
        return ConsoleResponse(
            json: ["status": verdict, "lines": JSONValue(ofStatus: status.lines)], status: isFailure ? 503 : 200)
    }

    /// The status. With `?samples=`, which the page sends, it contains the sums of all trackers' samples of the last
    /// hour, the samples of the named tracker, and the user of the host's login as the author of changes.
    func status(_ request: ConsoleRequest) -> JSONObject {
        var status = setup.status
        guard let open = request.query("samples") else { return JSONValue(ofStatus: status).object ?? [:] }
        var sums: [Date: DeliveryRates] = [:]
        for index in status.trackers.indices {
            for sample in status.trackers[index].samples {
                guard let time = sample.time else { continue }
                sums[time, default: DeliveryRates()].add(sample)
                sums[time]?.time = time
            }
            if !status.trackers[index].namespace.isExactly(open) { status.trackers[index].samples = [] }
        }
        var json = JSONValue(ofStatus: status).object ?? [:]
        json["samples"] = .array(sums.values.map { JSONValue(ofStatus: $0) })
        json["author"] = request.client.map(JSONValue.string)
        return json
    }

    /// The settings, with their layers, of the tracker named by `?namespace=`.
    func settings(_ request: ConsoleRequest) throws(ConsoleError) -> JSONObject {
        guard let namespace = request.query("namespace") else {
            throw ConsoleError(400, "expected ?namespace=NAME; the numbers of all trackers are in status")
        }
        guard let tracker = setup.registry.tracker(namespace) else {
            throw ConsoleError(404, "there is no tracker \(namespace.excerpt)")
        }
        let settings = tracker.layers.explanations.map { explanation -> JSONValue in
            var setting = explanation.wholeJSON.object ?? [:]
            setting["field"] = .string(explanation.field)
            return .object(setting)
        }
        let endpoint = tracker.network.explanation(\.endpoint).value ?? ""
        return ["tracker": ["namespace": .string(namespace), "endpoint": endpoint, "settings": .array(settings)]]
    }

    /// The effective configuration as a file for download, without secrets.
    var configuration: ConsoleResponse {
        var writer = ByteWriter(capacity: 4096)
        writer.append(pretty: .object(setup.effectiveConfiguration))
        writer.append("\n")
        return ConsoleResponse(
            200,
            [
                HTTPHeader(name: "Content-Type", value: "application/json"),
                HTTPHeader(name: "Content-Disposition", value: #"attachment; filename="configuration.json""#),
            ], .bytes(writer.array))
    }
}
