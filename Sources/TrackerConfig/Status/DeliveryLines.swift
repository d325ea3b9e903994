import FoundationEssentials
import TrackerCore

/// The lines about the delivery of events, sorted by severity.
struct DeliveryLines {
    /// The maximum number of trackers of a kind with separate lines; the others share one.
    private static let maxTrackers = 5

    private let time: Date
    private let trackers: [TrackerStatus]
    /// The trackers that count in totals: those in the document, and others with problems.
    private let standing: [TrackerStatus]

    init(_ status: SetupStatus) {
        (time, trackers) = (status.time, status.trackers)
        standing = trackers.filter { !$0.isKept || $0.isFailing || $0.isLosing }
    }

    // MARK: - Trackers

    private var losing: [TrackerStatus] { trackers.filter(\.isLosing) }

    /// The trackers that deliver again after they dropped events in the last hour.
    private var recovered: [TrackerStatus] {
        trackers.filter { !$0.isLosing && !$0.isFailing && $0.lastHour.dropped > 0 }
    }

    private var delayed: [TrackerStatus] { trackers.filter { $0.isFailing && !$0.isLosing } }

    private var hasLost: Bool { trackers.contains(where: \.hasLost) }

    // MARK: - Lines

    /// The lines about events that were lost in the last hour.
    var lost: [StatusLine] {
        let losing = losing.sorted { $0.lastHour.dropped > $1.lastHour.dropped }
        let dropped = losing.reduce(0) { $0 + $1.lastHour.dropped }
        let reasons = Set(losing.flatMap { $0.lossReasons.map(\.rawValue) }).sorted().joined(separator: ", ")
        let why = reasons.isEmpty ? "" : " (\(reasons))"
        let total = "are losing events: \(counted(dropped, "event")) dropped in the last hour\(why)"
        let recovered = recovered.sorted { $0.lastHour.dropped > $1.lastHour.dropped }
        return totaled(losing, total, "are losing events") { $0.isFailing ? failure($0) : loss($0) }
            + folded(recovered, "dropped events in the last hour", level: .warning, line: loss)
    }

    /// The lines about waiting events that will be lost within the hour if nothing changes.
    var soonLost: [StatusLine] { delays(of: delayed.filter(\.isNearlyFull)) }

    /// The lines about events that wait too long.
    var waiting: [StatusLine] {
        let failing = trackers.filter { $0.setAside > 0 && !$0.isPaused }
        return delays(of: delayed.filter { !$0.isNearlyFull })
            + folded(failing, "have events that fail although others are delivered", level: .warning) { tracker in
                let events = counted(tracker.setAside, "event")
                return tracker.line(.warning, "\(events) set aside: others are delivered, these fail until expiry")
            }
    }

    private func delays(of delayed: [TrackerStatus]) -> [StatusLine] {
        let delayed = delayed.sorted { $0.waiting > $1.waiting }
        var total = "cannot deliver: \(counted(delayed.reduce(0) { $0 + $1.waiting }, "event")) waiting"
        if let oldest = delayed.compactMap(\.oldestEventTime).min() {
            total += ", oldest \(time.timeIntervalSince(oldest).inWords)"
        }
        let room = delayed.compactMap(\.room).min().map { "room for about \($0.inWords)" }
        let rest = [hasLost ? nil : "nothing lost yet", room].compactMap(\.self)
        if !rest.isEmpty { total += "; \(rest.joined(separator: ", "))" }
        return totaled(delayed, total, "cannot deliver", line: failure)
    }

    /// The lines about collectors that accept events again after an outage within the last hour.
    private var outages: [StatusLine] {
        let over = trackers.filter { tracker in
            let age = tracker.lastOutageEnd.map { time.timeIntervalSince($0) } ?? -1
            return (0..<3600).contains(age) && !tracker.isFailing && tracker.lastHour.dropped == 0
        }
        let groups = grouped(over) { tracker in
            // Groups the trackers of a collector that recovered at about the same time.
            tracker.server.map { "\($0) \(Int((tracker.lastOutageEnd ?? time).timeIntervalSince1970 / 60))" }
        }
        return folded(groups, "could not deliver", level: .news) { trackers in
            let lengths = Set(trackers.compactMap { $0.lastOutageSeconds?.inWords })
            let longest = (trackers.compactMap(\.lastOutageSeconds).max() ?? 0).inWords
            let age = time.timeIntervalSince(trackers.compactMap(\.lastOutageEnd).max() ?? time).inWords
            let length = lengths.count > 1 ? "up to \(longest)" : longest
            let rest = trackers.contains(where: \.hasLost) ? "" : ", nothing lost"
            return StatusLine(
                level: .news,
                text: "\(listed(trackers.map(\.namespace))) could not deliver for \(length) until \(age) ago\(rest)",
                topic: .tracker, namespace: trackers.count == 1 ? trackers[0].namespace : nil)
        }
    }

    /// The lines about paused trackers, trackers that are no longer in the document, and deliveries.
    var others: [StatusLine] {
        var lines = folded(trackers.filter(\.isPaused), "are paused", level: .news) { tracker in
            let waiting = tracker.waiting > 0 ? ", \(counted(tracker.waiting, "event")) waiting" : ""
            return tracker.line(.news, "paused\(waiting)")
        }
        lines += folded(trackers.filter(\.isKept), "are no longer in the document", level: .news) { tracker in
            let waiting = tracker.waiting > 0 ? ": \(counted(tracker.waiting, "event")) waiting" : ""
            return tracker.line(.news, "no longer in the document, its tracker stays as it was\(waiting)")
        }
        return outages + lines + delivery
    }

    private var delivery: [StatusLine] {
        let trackers = standing
        let working = trackers.filter { !$0.isFailing && !$0.isPaused }
        guard !working.isEmpty else { return [] }
        let all = counted(trackers.count, "tracker")
        let share = working.count < trackers.count ? "\(working.count) of \(all)" : all
        func sum(_ count: (TrackerStatus) -> Int) -> Int { working.reduce(0) { $0 + count($1) } }
        let (minute, hour) = (sum { $0.lastMinute.sent }, sum { $0.lastHour.sent })
        let waiting = sum(\.waiting)
        if minute > 0 {
            let rest = working.count == trackers.count && !hasLost ? ", none dropped" : ""
            let text = "Delivering \(counted(minute, "event"))/min (\(share))\(rest)"
            return [StatusLine(level: .normal, text: text, topic: .tracker)]
        }
        if hour > 0 {
            let text = "No events sent in the last minute, \(hour) in the last hour (\(share))"
            return [StatusLine(level: .normal, text: text, topic: .tracker)]
        }
        // No delivery has succeeded yet.
        let wait = waiting > 0 ? ", \(counted(waiting, "event")) waiting" : ""
        var text = "No events tracked since the start (\(share))"
        if sum({ $0.counters.sent }) > 0 {
            text = "No events sent in the last hour\(wait) (\(share))"
        } else if sum({ $0.counters.tracked }) + waiting > 0 {
            text = "No events sent since the start\(wait) (\(share))"
        }
        return [StatusLine(level: .news, text: text, topic: .tracker)]
    }

    // MARK: - Parts

    /// The total of several trackers, and a line for each collector, because a failing collector is one problem.
    private func totaled(
        _ trackers: [TrackerStatus], _ total: String, _ predicate: String, line: (TrackerStatus) -> StatusLine
    ) -> [StatusLine] {
        let groups = grouped(trackers) { $0.isFailing ? $0.server : nil }
        if groups.count == 1, trackers.count > 1 { return [shared(trackers, total)] }
        let lines = folded(groups, predicate, level: .problem) { trackers in
            let waiting = trackers.reduce(0) { $0 + $1.waiting }
            let rest = waiting > 0 ? ": \(counted(waiting, "event")) waiting" : ""
            return trackers.count == 1 ? line(trackers[0]) : shared(trackers, predicate + rest)
        }
        guard trackers.count > 1 else { return lines }
        let text = "\(trackers.count) of \(standing.count) trackers \(total)"
        let since = trackers.compactMap(\.failingSince).min()
        return [StatusLine(level: .problem, text: text, since: since, topic: .tracker)] + lines
    }

    /// Groups trackers with the same key, in order; a tracker without a key has its own group.
    private func grouped(_ trackers: [TrackerStatus], by key: (TrackerStatus) -> String?) -> [[TrackerStatus]] {
        var (groups, places) = ([[TrackerStatus]](), [String: Int]())
        for tracker in trackers {
            let key = key(tracker)
            if let place = key.flatMap({ places[$0] }) {
                groups[place].append(tracker)
            } else {
                if let key { places[key] = groups.count }
                groups.append([tracker])
            }
        }
        return groups
    }

    /// The line about the failing trackers of one collector.
    private func shared(_ trackers: [TrackerStatus], _ predicate: String) -> StatusLine {
        func time(_ tracker: TrackerStatus) -> Date { tracker.lastFailingResponseTime ?? .distantPast }
        let responses = Set(trackers.map { $0.lastFailingResponse ?? "" }.map { $0.contains(" answered ") ? $0 : "" })
        let last = trackers.max { time($0) < time($1) }?.lastFailingResponse ?? ""
        var answer = last.contains(" answered ") ? last : "\(trackers[0].server ?? "the collector") does not answer"
        if responses.count > 1 { answer += " (the last failure)" }
        let causes = Set(trackers.map(\.cause))
        let cause = causes.count == 1 ? causes.first?.replacing(" its ", with: " their ") ?? "" : ""
        let version = causes.count == 1 ? trackers[0].failingSinceVersion : nil
        let text = "\(answer)\(cause): \(listed(trackers.map(\.namespace))) \(predicate)"
        return StatusLine(
            level: .problem, text: text, since: trackers.compactMap(\.failingSince).min(), topic: .tracker,
            version: version)
    }

    private func folded(
        _ trackers: [TrackerStatus], _ predicate: String, level: StatusLine.Level,
        line: (TrackerStatus) -> StatusLine
    ) -> [StatusLine] {
        folded(trackers.map { [$0] }, predicate, level: level) { line($0[0]) }
    }

    private func folded(
        _ groups: [[TrackerStatus]], _ predicate: String, level: StatusLine.Level,
        line: ([TrackerStatus]) -> StatusLine
    ) -> [StatusLine] {
        // One more line is no longer than the line for the rest.
        let isFolded = groups.count > Self.maxTrackers + 1
        let lines = groups.prefix(isFolded ? Self.maxTrackers : groups.count).map(line)
        guard isFolded else { return lines }
        let more = groups.dropFirst(lines.count).reduce(0) { $0 + $1.count }
        let text = "\(counted(more, "more tracker")) \(predicate)"
        return lines + [StatusLine(level: level, text: text, topic: .tracker)]
    }

    private func failure(_ tracker: TrackerStatus) -> StatusLine {
        var facts: [String] = []
        if tracker.consecutiveFailures > 0 { facts.append(counted(tracker.consecutiveFailures, "try", "tries")) }
        if tracker.waiting > 0 {
            let oldest = tracker.oldestEventTime.map { " (oldest \(time.timeIntervalSince($0).inWords))" } ?? ""
            facts.append("\(counted(tracker.waiting, "event")) waiting\(oldest)")
        }
        if tracker.lastHour.dropped > 0 {
            facts.append("\(counted(tracker.lastHour.dropped, "event")) dropped in the last hour\(tracker.losses)")
        }
        if !tracker.isLosing, let room = tracker.room { facts.append("room for about \(room.inWords)") }
        let response = tracker.lastFailingResponse ?? tracker.lastResponse ?? "no answer"
        let verb = tracker.isLosing ? "losing events" : "failing"
        let text = (["\(verb)\(tracker.cause): \(response)"] + facts).joined(separator: ", ")
        return tracker.line(.problem, text, since: tracker.failingSince)
    }

    private func loss(_ tracker: TrackerStatus) -> StatusLine {
        var text = "\(counted(tracker.lastHour.dropped, "event")) dropped in the last hour\(tracker.losses)"
        // Other losses are unrelated to a response.
        let isByCollector = tracker.lossReasons.contains { [.rejected, .notRetried, .oversized].contains($0) }
        if isByCollector, let response = tracker.lastFailingResponse, let last = tracker.lastFailingResponseTime {
            text += "; the last failure was \(time.timeIntervalSince(last).inWords) ago: \(response)"
        }
        return tracker.line(tracker.isLosing ? .problem : .warning, text)
    }
}

extension TrackerStatus {
    /// The collector's host, and its port if that is not the scheme's own.
    fileprivate var server: String? { collector.flatMap { EndpointURL.server(of: $0) } }

    /// Whether events were lost in the last minute.
    fileprivate var isLosing: Bool { lastMinute.dropped > 0 }

    /// Whether events were lost since the start.
    fileprivate var hasLost: Bool {
        lastHour.dropped > 0 || counters.droppedByReason.contains { $0.key.isLoss && $0.value > 0 }
    }

    /// Longer times are not mentioned.
    private static let longestRoom: TimeInterval = 7 * 86_400

    /// How long the store has room for events that cannot be sent, in seconds, at the last minute's rate; nil if it is
    /// unknown or more than a week.
    fileprivate var room: TimeInterval? {
        guard lastMinute.tracked > 0, waiting > 0 else { return nil }
        var events = storeCapacityEvents.map { Double($0 - waiting) }
        if let storeCapacityBytes, storeUsedBytes > 0 {
            let free = Double(storeCapacityBytes - storeUsedBytes) * Double(waiting) / Double(storeUsedBytes)
            events = min(events ?? free, free)
        }
        guard let free = events else { return nil }
        let room = max(0, free) / Double(lastMinute.tracked) * 60
        return room < Self.longestRoom ? room : nil
    }

    /// Whether the store has room for less than an hour.
    fileprivate var isNearlyFull: Bool { room.map { $0 < 3600 } ?? false }

    /// The reasons for lost events, in parentheses; empty if there are none.
    fileprivate var losses: String {
        lossReasons.isEmpty ? "" : " (\(lossReasons.map(\.rawValue).joined(separator: ", ")))"
    }

    /// The version that caused the failure, and the settings that it changed; empty if there is none.
    fileprivate var cause: String {
        guard let failingSinceVersion else { return "" }
        let settings = failingSinceSettings.map { String($0.split(separator: ".").last ?? "") }
        return " since version \(failingSinceVersion) changed its \(listed(settings))"
    }

    fileprivate func line(_ level: StatusLine.Level, _ text: String, since: Date? = nil) -> StatusLine {
        // A namespace has up to 128 characters.
        StatusLine(
            level: level, text: "\(namespace.oneLine(most: 60)): \(text)", since: since, topic: .tracker,
            namespace: namespace, version: level == .problem ? failingSinceVersion : nil)
    }
}
