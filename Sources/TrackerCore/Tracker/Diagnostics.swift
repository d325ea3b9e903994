/// Which of a tracker's own errors become events: one per cause and minute.
struct Diagnostics: Sendable {
    private static let interval = Duration.seconds(60)

    private var lastReports: [String: Duration] = [:]

    /// Whether an error of this cause is to become an event now.
    mutating func admits(_ cause: String, at uptime: Duration) -> Bool {
        if let last = lastReports[cause], uptime - last < Self.interval { return false }
        lastReports[cause] = uptime
        return true
    }
}

extension Tracker {
    /// Tracks one of the tracker's own errors, if ``TrackerConfiguration/diagnosticAutotracking`` asks for it.
    func report(_ cause: DropReason, _ message: String) {
        // A tracker that takes no events has no way to tell of it.
        guard cause != .paused, cause != .removed, cause != .shutDown, cause != .queueFull else { return }
        let uptime = pipeline.time.uptime
        let isWanted = state.withLock { state in
            state.settings.tracker.diagnosticAutotracking == true
                && state.diagnostics.admits(cause.rawValue, at: uptime)
        }
        guard isWanted else { return }
        // It is about the tracker, whichever request's event failed.
        _ = withTrackingContext(nil) {
            track(
                SelfDescribing(
                    schema: "iglu:com.snowplowanalytics.snowplow/diagnostic_error/jsonschema/1-0-0",
                    data: [
                        "message": .string(String(String.UnicodeScalarView(message.unicodeScalars.prefix(2048)))),
                        "exceptionName": .string(cause.rawValue),
                    ]))
        }
    }
}
