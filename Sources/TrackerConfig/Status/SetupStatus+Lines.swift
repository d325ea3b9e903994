import FoundationEssentials

extension SetupStatus {
    /// The state in sentences, the worst first.
    ///
    /// A line is a `problem` if events or a configuration are lost or delayed, a `warning` if that may happen, `news`
    /// if the operator should know it, such as a canary or an override, and `normal` otherwise.
    public var lines: [StatusLine] {
        let lines =
            documentLines + pendingLines + rolloutLines + fetchLines + streamLines + storeLines + trackerLines
            + issueLines + overrideLines
        return StatusLine.Level.allCases.flatMap { level in lines.filter { $0.level == level } }
    }
}

// MARK: - Documents

extension SetupStatus {
    private var documentLines: [StatusLine] {
        var lines: [StatusLine] = []
        if isStopped {
            let text = "The setup is stopped: it fetches nothing"
            lines.append(StatusLine(level: .warning, text: text, topic: .document))
        }
        if let state = document.state {
            let text = "\(subject(of: state)) in use" + (document.isFallback ? ", for want of the user's own" : "")
            lines.append(StatusLine(level: .normal, text: text, since: document.since, topic: .document))
        } else if !isStopped {
            let text = "No document and no default in use: there are no trackers"
            lines.append(StatusLine(level: .problem, text: text, since: process.startTime, topic: .document))
        }
        if let since = document.staleSince, !isStopped {
            let text = "\(subject(of: document.state)) may be out of date: its source is not reached"
            lines.append(StatusLine(level: .warning, text: text, since: since, topic: .document))
        }
        if let reverted = activeReversion {
            lines.append(
                StatusLine(
                    level: .problem, text: reverted.text.sentence, since: reverted.lastTime, topic: .document))
        }
        if let first = document.warnings.first {
            let more = document.warnings.count - 1
            let place = first.place.isEmpty ? "" : "\(first.place): "
            let text = "\(subject(of: document.state)) has \(counted(more + 1, "warning")): \(place)\(first.reason)"
            lines.append(
                StatusLine(
                    level: .warning, text: more > 0 ? "\(text), and \(more) more" : text, since: document.since,
                    topic: .document))
        }
        return lines
    }

    /// The reversion, or the one that failed, after which no other version was applied; nil if no version is in use, as
    /// after a switch to a user without a document.
    private var activeReversion: ConfigurationChange? {
        guard document.state != nil else { return nil }
        let last = changes.first { [.applied, .reverted, .rollbackFailed].contains($0.kind) }
        return last?.kind == .applied ? nil : last
    }

    private func subject(of state: ConfigurationState?) -> String {
        guard let version = document.version else { return "The default" }
        return switch state {
        case .default: "Default version \(version)"
        case .cached: "Version \(version) from the cache"
        default: "Version \(version)"
        }
    }

    /// What became of the document that the source serves.
    private var pendingLines: [StatusLine] {
        guard let pending else { return [] }
        // The line on the reversion says it.
        if pending.kind == .held, let reverted = activeReversion, reverted.version == pending.version { return [] }
        let level: StatusLine.Level =
            switch pending.kind {
            case .rejected: .problem
            case .unchanged: .warning
            default: pending.needsAttention ? .problem : .news
            }
        let isOutside = rollout?.version == pending.version && rollout?.isIncluded == false
        let count = pending.count > 1 ? " (\(pending.count) times)" : ""
        return [
            StatusLine(
                level: level, text: pending.text.sentence + count, since: pending.firstTime,
                topic: isOutside ? .rollout : .document)
        ]
    }

    private var rolloutLines: [StatusLine] {
        guard let rollout, rollout.state == .baking else { return [] }
        let left = rollout.bakeEnd.map { ", for \($0.timeIntervalSince(time).inWords) more" } ?? ""
        let text =
            "Version \(rollout.version) is rolled out to \(JSONValue(shortest: rollout.percent)) % of the instances: this one has it and"
            + " watches it" + left
        return [StatusLine(level: .news, text: text, since: document.since, topic: .rollout)]
    }

    private var fetchLines: [StatusLine] {
        guard let outage = fetchOutage else { return [] }
        let isLong = pollIntervalSeconds.map { time.timeIntervalSince(outage.since) > 10 * $0 } ?? false
        // It begins with "cannot fetch".
        let sentence = outage.text.prefix(1).uppercased() + outage.text.dropFirst()
        let text = "\(sentence) (\(counted(outage.tries, "try", "tries")))"
        return [StatusLine(level: isLong ? .problem : .warning, text: text, since: outage.since, topic: .fetch)]
    }
}

// MARK: - Trackers

extension SetupStatus {
    private var storeLines: [StatusLine] {
        guard let eventStoreFailure else { return [] }
        return [
            StatusLine(
                level: .warning, text: eventStoreFailure.text.sentence, since: eventStoreFailure.since, topic: .tracker)
        ]
    }

    /// The most trackers of a kind with a line each; the others share one.
    private static let maxTrackerLines = 5

    private var trackerLines: [StatusLine] {
        let failing = trackers.filter(\.isFailing).sorted { $0.waiting > $1.waiting }
        let losing = trackers.filter { !$0.isFailing && $0.lastHour.dropped > 0 }
            .sorted { $0.lastHour.dropped > $1.lastHour.dropped }
        let fine = trackers.filter { !$0.isFailing && $0.lastHour.dropped == 0 && !$0.isPaused }
        var lines = folded(failing, "fail to deliver", level: .problem, line: failureLine)
        lines += folded(losing, "lost events in the last hour", level: .warning, line: lossLine)
        let refused = trackers.filter { $0.tooLarge > 0 && !$0.isPaused }
        lines += folded(refused, "have events that are too large for the collector", level: .warning) { tracker in
            let events = counted(tracker.tooLarge, "event")
            return tracker.line(.warning, "\(events) too large for the collector, retried until expiry")
        }
        lines += folded(trackers.filter(\.isPaused), "are paused", level: .news) { tracker in
            let waiting = tracker.waiting > 0 ? ", \(counted(tracker.waiting, "event")) waiting" : ""
            return tracker.line(.news, "paused\(waiting)")
        }
        lines += folded(trackers.filter(\.isKept), "are no longer in the document", level: .news) { tracker in
            let waiting = tracker.waiting > 0 ? ": \(counted(tracker.waiting, "event")) waiting" : ""
            return tracker.line(.news, "no longer in the document, its tracker ends when its events are sent\(waiting)")
        }
        if !fine.isEmpty { lines.append(deliveryLine(fine)) }
        return lines
    }

    private func folded(
        _ trackers: [TrackerStatus], _ predicate: String, level: StatusLine.Level,
        line: (TrackerStatus) -> StatusLine
    ) -> [StatusLine] {
        // A line for one more is no longer than the tracker's own.
        let isFolded = trackers.count > Self.maxTrackerLines + 1
        let lines = trackers.prefix(isFolded ? Self.maxTrackerLines : trackers.count).map(line)
        guard isFolded else { return lines }
        let more = trackers.count - lines.count
        let text = "\(counted(more, "more tracker")) \(predicate)"
        return lines + [StatusLine(level: level, text: text, topic: .tracker)]
    }

    private func failureLine(_ tracker: TrackerStatus) -> StatusLine {
        var facts: [String] = []
        if tracker.consecutiveFailures > 0 { facts.append(counted(tracker.consecutiveFailures, "try", "tries")) }
        if tracker.waiting > 0 {
            let oldest = tracker.oldestEventTime.map { " (oldest \(time.timeIntervalSince($0).inWords))" } ?? ""
            facts.append("\(counted(tracker.waiting, "event")) waiting\(oldest)")
        }
        if tracker.lastHour.dropped > 0 {
            facts.append("\(counted(tracker.lastHour.dropped, "event")) dropped in the last hour\(tracker.losses)")
        }
        let text = (["failing: \(tracker.lastResponse ?? "no answer")"] + facts).joined(separator: ", ")
        return tracker.line(.problem, text, since: tracker.failingSince)
    }

    private func lossLine(_ tracker: TrackerStatus) -> StatusLine {
        let text = "\(counted(tracker.lastHour.dropped, "event")) dropped in the last hour\(tracker.losses)"
        return tracker.line(tracker.lastMinute.dropped > 0 ? .problem : .warning, text)
    }

    private func deliveryLine(_ trackers: [TrackerStatus]) -> StatusLine {
        let sent = trackers.reduce(0) { $0 + $1.lastMinute.sent }
        let who = trackers.count == 1 ? "1 tracker delivers" : "\(trackers.count) trackers deliver"
        let text = "\(who) \(counted(sent, "event"))/min, none dropped"
        return StatusLine(level: .normal, text: text, topic: .tracker)
    }
}

extension TrackerStatus {
    /// Why events were lost, in parentheses; empty if none was.
    fileprivate var losses: String {
        lossReasons.isEmpty ? "" : " (\(lossReasons.map(\.rawValue).joined(separator: ", ")))"
    }

    fileprivate func line(_ level: StatusLine.Level, _ text: String, since: Date? = nil) -> StatusLine {
        // A namespace has up to 4,096 characters.
        StatusLine(
            level: level, text: "\(namespace.oneLine(most: 60)): \(text)", since: since, topic: .tracker,
            namespace: namespace)
    }
}

// MARK: - Issues

extension SetupStatus {
    /// One line for each kind of issue, with the most frequent of its issues.
    private var issueLines: [StatusLine] {
        CodeIssue.Kind.allCases.compactMap { kind in
            let own = issues.filter { $0.kind == kind }
            guard let first = own.first else { return nil }
            let more = own.count > 1 ? ", and \(own.count - 1) more" : ""
            // A name that begins the sentence stays as it is.
            let text = kind == .untracked || kind == .malformedSchema ? first.text.sentence : first.text
            return StatusLine(
                level: .warning, text: "\(text) (\(counted(first.count, "time")))\(more)", topic: .code)
        }
    }
}

// MARK: - Overrides

extension SetupStatus {
    private var overrideLines: [StatusLine] {
        guard let first = overrides.first else { return [] }
        var text = overrides.count == 1 ? "1 override is in effect" : "\(overrides.count) overrides are in effect"
        if overrides.count == 1 { text += ": \(first.name.oneLine(most: 120))" }
        return [
            StatusLine(level: .news, text: text, since: overrides.compactMap(\.time).min(), topic: .override)
        ]
    }
}

extension FeatureOverride {
    /// The feature, the variable as `feature.variable`, or the experiment.
    fileprivate var name: String {
        if let experiment { return "experiment \(experiment)" }
        return (feature ?? "") + (variable.map { ".\($0)" } ?? "")
    }
}

// MARK: - Words

extension String {
    /// The text with a capital letter at its beginning.
    fileprivate var sentence: String { prefix(1).uppercased() + dropFirst() }
}

extension TimeInterval {
    /// The span in one unit: `40 s`, `6 min`, `3 h`, `2 days`; at least 0 s.
    fileprivate var inWords: String {
        let seconds = Int(min(max(self, 0), 1e12))
        return switch seconds {
        case ..<120: "\(seconds) s"
        case ..<7200: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3600) h"
        default: "\(seconds / 86_400) days"
        }
    }
}
