import DocumentTools
import TrackerConfig
import TrackerCore
import TrackerPlatform

extension WebConsole {
    /// The maximum number of trackers in each message: those with problems first, then by namespace.
    private static let maxLiveTrackers = 200

    /// Returns the live data since a cursor, and the cursor of the next request.
    func live(after cursor: LiveFeed.Cursor?) -> (json: JSONObject, cursor: LiveFeed.Cursor) {
        setup.feed.look()
        // Before the status, so that the counters include all these events.
        let batch = setup.feed.batch(after: cursor)
        let status = setup.status
        let troubled = status.trackers.filter { $0.isFailing || $0.lastHour.dropped > 0 || $0.setAside > 0 }
        let shown = Set(troubled.prefix(Self.maxLiveTrackers).map { ExactText($0.namespace) })
        let rest = status.trackers.lazy.filter { !shown.contains(ExactText($0.namespace)) }
        let trackers = (troubled.prefix(Self.maxLiveTrackers) + rest.prefix(Self.maxLiveTrackers - shown.count))
            .map { ($0.namespace, JSONValue.object($0.json)) }
        let json: JSONObject = [
            "title": JSONValue(text: options.title), "allowsChanges": .bool(options.allowsChanges),
            "now": .int(Int(setup.pipeline.now)), "cursor": .string("\(batch.cursor)"),
            "sections": .object(sections(status)), "lines": JSONValue(ofStatus: status.lines, inMilliseconds: true),
            "trackers": .object(JSONObject(trackers)), "totals": totals(status.trackers),
            "events": .array(batch.events.compactMap(\.json)), "skipped": .int(batch.skipped),
            "outcomes": .array(batch.outcomes.map(\.json)),
        ]
        return (json, batch.cursor)
    }

    /// The totals of all trackers.
    private func totals(_ trackers: [TrackerStatus]) -> JSONValue {
        [
            "waiting": .int(trackers.reduce(0) { $0 + $1.waiting }),
            "oldestEvent": JSONValue(trackers.compactMap(\.oldestEventTime).min()?.milliseconds),
            "perMinute": .int(trackers.reduce(0) { $0 + $1.lastMinute.sent }),
            "dropped": .int(trackers.reduce(0) { $0 + $1.lastHour.dropped }),
        ]
    }

    /// A mark for each view, which changes when the page must load the view again.
    private func sections(_ status: SetupStatus) -> JSONObject {
        let lifecycle = setup.updater.status.lifecycle
        // Include the process: another process counts from the same numbers and may answer the next request.
        let process = "\(setup.feed.start) \(getpid())"
        let document = "\(process) \(lifecycle.changes) \(lifecycle.active?.state.rawValue ?? "")"
        var settings = StableHash()
        for (namespace, tracker) in setup.registry.trackers.sorted(by: { $0.key < $1.key }) {
            settings.combine("\(namespace) \(tracker.settingsRevision) ".utf8)
        }
        // Include the document: a new tracker counts its changes from 0 again.
        let trackersMark = "\(document) \(settings.hex)"
        let features = "\(process) \(setup.features.store.layers.generation)"
        return [
            "overview": .string("\(fetchMark(status)) \(trackersMark) \(features)"),
            "trackers": .string(trackersMark), "features": .string(features),
            "difference": .string(document),
        ]
    }

    /// A mark of the results of fetches and of the canary. It also changes every 10 s, for the events of the last hour.
    private func fetchMark(_ status: SetupStatus) -> String {
        let change = status.changes.first.map { "\($0.lastTime.milliseconds) \($0.count)" } ?? ""
        let fetch = "\(status.lastFetchTime?.milliseconds ?? 0) \(status.isFetching)"
        let requests = status.rollout?.trackers.values.reduce(0) { $0 + $1.requests } ?? 0
        let next = "\(status.nextFetchTime?.milliseconds ?? 0) \(status.rollout?.state.rawValue ?? "") \(requests)"
        return "\(setup.pipeline.now / 10_000) \(change) \(fetch) \(next)"
    }
}

extension LiveFeed.Cursor: CustomStringConvertible {
    var description: String { "\(number).\(missed).\(settled)" }

    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let number = Int64(parts[0]), let missed = Int(parts[1]), let settled = Int(parts[2]),
            number >= 0, missed >= 0, settled >= 0
        else { return nil }
        self.init(number: number, missed: missed, settled: settled)
    }
}
