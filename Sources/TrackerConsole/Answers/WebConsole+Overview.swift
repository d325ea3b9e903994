import DocumentTools
import TrackerConfig

extension WebConsole {
    /// The most rows of values that are not from the document; the others are among the differences.
    private static let maxExceptions = 200
    /// The most differences of an answer.
    private static let maxDifferences = 500

    /// The first screen: which version runs, since when and from where, what is not from it, and what happened. With
    /// `?filter=` instead the settings that differ from the default, of which `offset` and `limit` choose a part.
    func overview(_ request: ConsoleRequest) throws(ConsoleError) -> JSONObject {
        guard let filter = request.query("filter") else { return firstScreen }
        let version = setup.status.document.version
        let all = DefaultDifferences(setup, setup.registry.trackers, setup.features.store.layers, version: version).all
        let needle = filter.lowercased()
        let matching = needle.isEmpty ? all : all.filter { $0.matches(needle) }
        let limit = try Self.number("limit", of: request, in: 1...Self.maxDifferences) ?? 100
        let wanted = try Self.number("offset", of: request, in: 0...Int(Int32.max)) ?? 0
        // A page that has gone with its differences becomes the last one.
        let offset = wanted < matching.count ? wanted : max(0, (matching.count - 1) / limit * limit)
        return [
            "differences": .array(matching.dropFirst(offset).prefix(limit).map { .object($0.json) }),
            "offset": .int(offset), "matching": .int(matching.count), "total": .int(all.count),
        ]
    }

    private var firstScreen: JSONObject {
        let status = setup.status
        let layers = setup.features.store.layers
        let trackers = setup.registry.trackers
        let exceptions = DocumentExceptions(
            status, DefaultDifferences(setup, trackers, layers, version: status.document.version), trackers, layers
        ).all
        let now = Int(setup.pipeline.now)
        var object: JSONObject = [
            "title": JSONValue(text: options.title), "allowsChanges": .bool(options.allowsChanges), "now": .int(now),
            "process": JSONValue(ofStatus: status.process), "document": JSONValue(ofStatus: status.document),
            "rollout": JSONValue(ofStatus: status.rollout), "outage": JSONValue(ofStatus: status.outage),
            "changes": JSONValue(ofStatus: status.changes),
            "heldVersions": .array(setup.updater.parts.history.heldVersions.map(JSONValue.int)),
        ]
        object["streaming"] = JSONValue(ofStatus: status.streaming)
        object["isFetching"] = .bool(status.isFetching)
        object["lastFetchTime"] = JSONValue(status.lastFetchTime?.milliseconds)
        object["nextFetchTime"] = JSONValue(status.nextFetchTime?.milliseconds)
        object["pollIntervalSeconds"] = JSONValue(number: status.pollIntervalSeconds)
        let fetches = status.fetches.map { ($0.key.rawValue, JSONValue.int($0.value)) }.sorted { $0.0 < $1.0 }
        object["fetches"] = .object(JSONObject(fetches))
        object["untracked"] = .int(status.untracked)
        object["exceptions"] = .array(exceptions.prefix(Self.maxExceptions).map(JSONValue.object))
        object["moreExceptions"] = .int(max(0, exceptions.count - Self.maxExceptions))
        object["hour"] = DeliveryHour(status.trackers, now: now).json
        object["counts"] = counts(layers, namespaces: trackers.count)
        object["meta"] = .object(setup.updater.status.active?.meta ?? JSONObject())
        return object
    }

    private func counts(_ layers: FeatureLayers, namespaces: Int) -> JSONValue {
        let (features, overrides) = (layers.names, layers.overrides.inOrder)
        return [
            "namespaces": .int(namespaces), "features": .int(features.count),
            "variables": .int(features.reduce(0) { $0 + layers.variables(of: $1).count }),
            "experiments": .int(layers.experiments.all.count),
            "overrides": .int(overrides.count { $0.experiment == nil }),
            "forced": .int(overrides.count { $0.experiment != nil }),
        ]
    }

    /// A whole number of a request's query; nil if it is missing.
    static func number(
        _ name: String, of request: ConsoleRequest, in range: ClosedRange<Int>
    ) throws(ConsoleError) -> Int? {
        guard let text = request.query(name) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw ConsoleError(400, "\(name) must be a whole number in \(range)")
        }
        return number
    }
}

extension ConfigurationChange {
    /// How a refresh ended, for the page.
    var outcome: JSONValue {
        [
            "time": .int(Int(lastTime.milliseconds)), "kind": .string(kind.rawValue), "text": .string(text),
            "isTrouble": .bool(needsAttention),
        ]
    }
}
