import FoundationEssentials
import TrackerJSON

/// The lines about documents and fetches.
extension SetupStatus {
    /// The line if there is no configuration, so that every event is lost.
    var missingLine: StatusLine? {
        guard document.state == nil, !isStopped else { return nil }
        let text = "No document and no default in use: there are no trackers"
        return StatusLine(level: .problem, text: text, since: process.startTime, topic: .document)
    }

    var revertedLine: StatusLine? {
        guard let reverted = activeReversion else { return nil }
        // A reverted canary needs no action; a version whose processes crashed has to be released.
        let isHeld = reverted.version.map { heldVersions.contains($0) } ?? false
        let isOver = reverted.kind == .reverted && !isHeld
        return StatusLine(
            level: isOver ? .warning : .problem, text: reverted.text.sentence, since: reverted.lastTime,
            topic: .document, version: reverted.version)
    }

    /// The line about the document that the source serves but that is not in use.
    var pendingLine: StatusLine? {
        guard let pending else { return nil }
        // The line about the reversion already covers it.
        if pending.kind == .held, let reverted = activeReversion, reverted.version == pending.version { return nil }
        let level: StatusLine.Level =
            switch pending.kind {
            case .rejected: .problem
            case .unchanged: .warning
            case .held where rollout?.state == .reverted && rollout?.version == pending.version: .warning
            default: pending.needsAttention ? .problem : .news
            }
        let isOutside = rollout?.version == pending.version && rollout?.isIncluded == false
        let author = pending.author.map { "; published by \($0)" } ?? ""
        let stays = pending.kind == .rejected && document.state != nil
        let use = stays ? "; \(subject(of: document.state).lowercasedFirst) stays in use" : ""
        return StatusLine(
            level: level, text: pending.text.sentence + author + use, since: pending.firstTime,
            topic: isOutside ? .rollout : .document, version: pending.version)
    }

    var documentLines: [StatusLine] {
        var lines: [StatusLine] = []
        func add(_ level: StatusLine.Level, _ text: String, since: Date? = nil) {
            lines.append(
                StatusLine(level: level, text: text, since: since, topic: .document, version: document.version))
        }
        if isStopped { add(.warning, "The setup is stopped: it fetches nothing") }
        if let state = document.state {
            add(.normal, "\(subject(of: state)) in use", since: document.since)
        }
        if let since = document.staleSince, !isStopped {
            add(
                .warning, "\(subject(of: document.state)) may be out of date: its source is not reached", since: since)
        }
        if let first = document.warnings.first {
            let more = document.warnings.count - 1
            let place = first.place.isEmpty ? "" : "\(first.place): "
            let text = "\(subject(of: document.state)) has \(counted(more + 1, "warning")): \(place)\(first.reason)"
            add(.warning, more > 0 ? "\(text), and \(more) more" : text, since: document.since)
        }
        return lines
    }

    var rolloutLine: StatusLine? {
        guard let rollout, rollout.state == .baking else { return nil }
        let left = rollout.bakeEnd.map { ", \($0.timeIntervalSince(time).inWords) left" } ?? ""
        var text =
            "Version \(rollout.version), canary \(JSONValue(shortest: rollout.percent)) %: baking on this instance"
            + left
        let failing = rollout.trackers.filter { $0.value.failedRequests > 0 }
            .sorted { ($1.value.failedRequests, $0.key) < ($0.value.failedRequests, $1.key) }
        if !failing.isEmpty {
            let names = failing.enumerated().map { index, tracker in
                let noun = index == 0 ? " \(tracker.value.requests == 1 ? "request" : "requests") failed" : ""
                let share = "\(tracker.value.failedRequests) of \(tracker.value.requests)"
                return "\(tracker.key.oneLine(most: 60)) \(share)\(noun)"
            }
            text += "; " + listed(names, most: 120)
        }
        if let revert = rollout.expectedRevertTime {
            text += "; reverts within \(revert.timeIntervalSince(time).inWords)"
        }
        return StatusLine(
            level: rollout.expectedRevertTime == nil ? .news : .warning, text: text, since: document.since,
            topic: .rollout, version: rollout.version)
    }

    var fetchLine: StatusLine? {
        guard let outage else { return nil }
        let isLong = pollIntervalSeconds.map { time.timeIntervalSince(outage.firstTime) > 10 * $0 } ?? false
        let next = nextFetchTime.map { ", the next in \($0.timeIntervalSince(time).inWords)" } ?? ""
        // The text begins with "cannot fetch".
        let text = "\(outage.text.sentence) (\(counted(outage.count, "try", "tries"))\(next))"
        return StatusLine(level: isLong ? .problem : .warning, text: text, since: outage.firstTime, topic: .fetch)
    }

    /// The last reversion or failed rollback, if no other version was applied since; nil if no version is in use.
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
}
