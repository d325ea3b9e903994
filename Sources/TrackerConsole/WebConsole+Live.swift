import DocumentTools
import Glibc
import TrackerConfig

extension WebConsole {
    /// What a page shows as it happens.
    struct Live {
        let json: JSONObject
        let cursor: LiveFeed.Cursor
    }

    /// What happened since somebody looked last.
    func live(after cursor: LiveFeed.Cursor?) async -> Live {
        setup.feed.look()
        let news = setup.feed.news(after: cursor)
        let status = setup.updater.status
        let standings = await setup.pipeline.current?.standings ?? [:]
        let trackers = setup.registry.trackers.sorted { $0.key < $1.key }
        let counters = trackers.map { namespace, tracker -> (String, JSONValue) in
            var object = tracker.counters.json
            object["failuresInARow"] = .int(standings[namespace]?.consecutiveFailures ?? 0)
            object["lastAnswer"] = standings[namespace]?.lastResponse.map(JSONValue.string) ?? .null
            return (namespace, .object(object))
        }
        let json: JSONObject = [
            "now": .int(Int(setup.pipeline.now)), "cursor": .string("\(news.cursor)"),
            "sections": .object(sections(status, trackers)),
            "trackers": .object(JSONObject(counters)),
            "events": .array(news.events.compactMap { $0.sighting.json }), "skipped": .int(news.skipped),
        ]
        return Live(json: json, cursor: news.cursor)
    }

    /// A mark for each view, another one where it has to be asked for anew.
    private func sections(
        _ status: ConfigurationUpdater.Status, _ trackers: [(key: String, value: Tracker)]
    ) -> JSONObject {
        // Of this process: another one's count from the same numbers, and it may be another one that answers the next time.
        let process = "\(setup.feed.start) \(getpid())"
        let document = "\(process) \(status.changes) \(status.active?.state.rawValue ?? "")"
        var settings = StableHash()
        for (namespace, tracker) in trackers { settings.combine("\(namespace) \(tracker.settingsMark) ".utf8) }
        // With the document, which may have made a tracker anew that counts its changes from none.
        let trackersMark = "\(document) \(settings.hex)"
        let features = "\(process) \(setup.features.store.generation)"
        let fetches = "\(status.history.records.first?.time ?? 0) \(status.isFetching) \(status.history.nextPoll ?? 0)"
        let user = status.scope.user.hashValue
        return [
            "overview": .string("\(fetches) \(user) \(trackersMark) \(features)"),
            "trackers": .string(trackersMark), "features": .string(features), "experiments": .string(features),
            "difference": .string(document),
        ]
    }
}

extension LiveFeed.Cursor: CustomStringConvertible {
    var description: String { "\(number).\(missed)" }

    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Int64(parts[0]), let missed = Int(parts[1]), number >= 0, missed >= 0
        else { return nil }
        self.init(number: number, missed: missed)
    }
}
