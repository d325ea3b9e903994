import TrackerConfig

/// The parts of a status as the page reads them: times in milliseconds since 1970, null for what is missing.
extension StatusLine {
    /// The line for the page.
    var json: JSONValue {
        [
            "level": .string(level.rawValue), "text": .string(text), "since": JSONValue(since?.milliseconds),
            "topic": .string(topic.rawValue), "namespace": JSONValue(text: namespace),
        ]
    }
}

extension ProcessIdentity {
    /// The process for the page.
    var json: JSONValue {
        [
            "service": .string(service), "host": .string(host), "processID": .int(processID),
            "startTime": .int(Int(startTime.milliseconds)), "sdkVersion": .string(sdkVersion),
            "instanceID": JSONValue(text: instanceID), "stateDirectory": JSONValue(text: stateDirectory),
            "cacheDirectory": JSONValue(text: cacheDirectory),
        ]
    }
}

extension DocumentStatus {
    /// The document for the page.
    var json: JSONValue {
        let warnings = warnings.map { warning -> JSONValue in
            [
                "place": .string(warning.place), "reason": .string(warning.reason),
                "line": JSONValue(warning.position?.line), "column": JSONValue(warning.position?.column),
            ]
        }
        return [
            "state": JSONValue(text: state?.rawValue), "version": JSONValue(version), "epoch": JSONValue(epoch),
            "since": JSONValue(since?.milliseconds), "fetchTime": JSONValue(fetchTime?.milliseconds),
            "source": JSONValue(text: source), "isFallback": .bool(isFallback), "user": JSONValue(text: user),
            "warnings": .array(warnings),
        ]
    }
}

extension RolloutStatus {
    /// The rollout for the page, its trackers sorted by namespace.
    var json: JSONValue {
        let rates = trackers.sorted { $0.key < $1.key }.map { namespace, rates -> JSONValue in
            [
                "namespace": .string(namespace), "failureRateBefore": JSONValue(number: rates.failureRateBefore),
                "failureRateAfter": JSONValue(number: rates.failureRateAfter),
            ]
        }
        return [
            "version": .int(version), "percent": JSONValue(number: percent), "position": JSONValue(number: position),
            "isIncluded": .bool(isIncluded), "state": .string(state.rawValue),
            "bakeEnd": JSONValue(bakeEnd?.milliseconds), "trackers": .array(rates),
        ]
    }
}

extension ConfigurationChange {
    /// The change for the page.
    var json: JSONValue {
        [
            "kind": .string(kind.rawValue), "version": JSONValue(version), "text": .string(text),
            "firstTime": .int(Int(firstTime.milliseconds)), "lastTime": .int(Int(lastTime.milliseconds)),
            "count": .int(count), "needsAttention": .bool(needsAttention),
        ]
    }
}

extension FetchOutage {
    /// The outage for the page.
    var json: JSONValue {
        [
            "since": .int(Int(since.milliseconds)), "lastTime": .int(Int(lastTime.milliseconds)),
            "tries": .int(tries), "text": .string(text),
        ]
    }
}

extension TrackerStatus {
    /// The tracker's numbers for the page, without its samples.
    var json: JSONObject {
        let reasons = counters.droppedByReason.filter { $0.value > 0 }.sorted { $0.key.rawValue < $1.key.rawValue }
        var object: JSONObject = [
            "namespace": .string(namespace), "isPaused": .bool(isPaused), "isKept": .bool(isKept),
            "waiting": .int(waiting), "perMinute": .int(lastMinute.sent),
            "oldestEvent": JSONValue(oldestEventTime?.milliseconds),
            "lastSuccess": JSONValue(lastSuccessTime?.milliseconds),
            "failingSince": JSONValue(failingSince?.milliseconds), "failuresInARow": .int(consecutiveFailures),
            "lastResponse": JSONValue(text: lastResponse), "tooLarge": .int(tooLarge),
        ]
        object["isFailing"] = .bool(isFailing)
        object["tracked"] = .int(counters.tracked)
        object["sent"] = .int(counters.sent)
        object["retried"] = .int(counters.retried)
        object["requests"] = .int(counters.requests)
        object["dropped"] = .int(counters.dropped)
        object["droppedByReason"] = .object(JSONObject(reasons.map { ($0.key.rawValue, .int($0.value)) }))
        object["hour"] = ["sent": .int(lastHour.sent), "dropped": .int(lastHour.dropped)]
        return object
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

    /// A number, or null.
    init(number: Double?) {
        self = number.map { JSONValue(shortest: $0) } ?? .null
    }

    /// A text, or null.
    init(text: String?) {
        self = text.map(JSONValue.string) ?? .null
    }
}
