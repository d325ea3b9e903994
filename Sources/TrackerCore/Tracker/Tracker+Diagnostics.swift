extension Tracker {
    /// Tracks one of the tracker's own errors, if ``TrackerConfiguration/diagnosticAutotracking`` is on.
    func report(_ cause: DropReason, _ message: String) {
        // A tracker that takes no events cannot report it as one.
        guard cause != .paused, cause != .removed, cause != .shutDown, cause != .queueFull else { return }
        let uptime = pipeline.time.uptime
        let isWanted = state.withLock { state in
            state.settings.tracker.diagnosticAutotracking == true
                && state.diagnostics.admit(cause.rawValue, count: 1, at: uptime) != nil
        }
        guard isWanted else { return }
        // Without a context, because the error is about the tracker, whichever request's event failed.
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
