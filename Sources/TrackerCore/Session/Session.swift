/// A tracker's session, which decides to which session an event belongs and when a new one begins.
struct Session: Sendable {
    /// The current session, which is kept for the next process; nil before the first event.
    private(set) var record: SessionRecord?
    // The session of an earlier process, which the first session follows.
    private let former: SessionRecord?
    private let newUserID: EventID
    private var lastActivity = Duration.zero
    private var isOver = false
    /// When the session was paused; nil while it runs.
    private var pausedSince: Duration?

    /// Creates the session from the record of an earlier process.
    /// - Parameters:
    ///   - record: The record of the earlier process; nil if there is none.
    ///   - isContinued: Whether its session continues if it is recent enough.
    ///   - time: The clock.
    ///   - newUserID: The user's id if there is no record.
    init(_ record: SessionRecord?, isContinued: Bool, time: any TimeSource, newUserID: EventID) {
        (former, self.newUserID) = (record, newUserID)
        guard isContinued, let record else { return }
        self.record = record
        // If the wall clock was set back, the age of the session is zero and not negative.
        lastActivity = time.uptime - .milliseconds(max(0, time.wallTime - record.lastActivity))
    }

    /// Whether the session is paused; a paused session does not end by time.
    var isPaused: Bool { pausedSince != nil }

    /// Pauses the session.
    mutating func pause(at uptime: Duration) {
        if pausedSince == nil { pausedSince = uptime }
    }

    /// Resumes the session; the time of the pause does not count.
    mutating func resume(at uptime: Duration) {
        if let pausedSince { lastActivity += uptime - max(pausedSince, lastActivity) }
        pausedSince = nil
    }

    /// Closes the session, so that the next event begins a new one.
    mutating func end() {
        isOver = true
    }

    /// Adds an event to the current session, or to a new one.
    /// - Parameters:
    ///   - event: The event.
    ///   - wallTime: The time of tracking, in milliseconds since 1970.
    ///   - uptime: The same time by the monotonic clock.
    ///   - timeout: The time without events after which a session ends; nil for none.
    ///   - newID: The id for a new session.
    /// - Returns: The session of the event.
    mutating func advance(
        _ event: EventID, at wallTime: Int64, _ uptime: Duration, timeout: Duration?, newID: EventID
    ) -> SessionRecord {
        let isIdleTooLong = !isPaused && timeout.map { uptime - lastActivity >= $0 } ?? false
        var current: SessionRecord
        if let record, !isOver, !isIdleTooLong {
            current = record
        } else {
            let last = record ?? former
            current = SessionRecord(
                userID: last?.userID ?? newUserID.description, id: newID.description, index: (last?.index ?? 0) + 1,
                previousID: last?.id, eventIndex: 0, firstEventID: event.description,
                firstEventTime: Timestamp.iso8601(milliseconds: wallTime), lastActivity: wallTime)
            isOver = false
        }
        current.eventIndex += 1
        current.lastActivity = wallTime
        lastActivity = uptime
        record = current
        return current
    }
}

extension SessionRecord {
    /// The session as `iglu:com.snowplowanalytics.snowplow/client_session/jsonschema/1-0-2`.
    /// - Parameters:
    ///   - writer: The writer of the event.
    ///   - isAnonymous: Whether the user and the previous session are left out.
    func write(to writer: inout ByteWriter, isAnonymous: Bool) {
        writer.append("{\"schema\":\"iglu:com.snowplowanalytics.snowplow/client_session/jsonschema/1-0-2\",\"data\":{")
        writer.append("\"userId\":\"")
        writer.append(raw: isAnonymous ? Entity.anonymousUserID : userID)
        writer.append("\",\"sessionId\":\"")
        writer.append(raw: id)
        writer.append("\",\"sessionIndex\":")
        writer.append(decimal: Int64(index))
        writer.append(",\"eventIndex\":")
        writer.append(decimal: Int64(eventIndex))
        writer.append(",\"previousSessionId\":")
        if let previousID, !isAnonymous { writer.append(quoted: previousID) } else { writer.append("null") }
        writer.append(",\"storageMechanism\":\"SQLITE\",\"firstEventId\":\"")
        writer.append(raw: firstEventID)
        writer.append("\",\"firstEventTimestamp\":\"")
        writer.append(raw: firstEventTime)
        writer.append("\"}}")
    }
}
