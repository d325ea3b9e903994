/// A tracker's session: which one an event belongs to, and when the next one begins.
struct Session: Sendable {
    /// The current session, which is to outlive the process; nil before the first event.
    private(set) var record: SessionRecord?
    // What an earlier process left, which the first session follows.
    private let former: SessionRecord?
    private let newUserID: EventID
    private var lastActivity = Duration.zero
    private var isOver = false
    /// When the session was paused; nil while it runs.
    private var pausedSince: Duration?

    /// Begins where an earlier process left off.
    /// - Parameters:
    ///   - record: What the earlier process left, nil for nothing.
    ///   - isContinued: Whether its last session goes on where it is young enough.
    ///   - time: The clock.
    ///   - newUserID: The user's id if there is no record.
    init(_ record: SessionRecord?, isContinued: Bool, time: any TimeSource, newUserID: EventID) {
        (former, self.newUserID) = (record, newUserID)
        guard isContinued, let record else { return }
        self.record = record
        // A wall clock that was set back makes the session younger, not older than it can be.
        lastActivity = time.uptime - .milliseconds(max(0, time.wallTime - record.lastActivity))
    }

    /// A session that stands still does not end by time.
    var isPaused: Bool { pausedSince != nil }

    /// Lets the session stand still.
    mutating func pause(at uptime: Duration) {
        if pausedSince == nil { pausedSince = uptime }
    }

    /// Lets the session go on; the time in between does not count.
    mutating func resume(at uptime: Duration) {
        if let pausedSince { lastActivity += uptime - max(pausedSince, lastActivity) }
        pausedSince = nil
    }

    /// Lets the next event begin a new session.
    mutating func end() {
        isOver = true
    }

    /// Adds an event to the session it belongs to.
    /// - Parameters:
    ///   - event: The event.
    ///   - wallTime: When it is tracked, in milliseconds since 1970.
    ///   - uptime: The same by the clock that never goes back.
    ///   - timeout: The time without events after which a session ends; nil for none.
    ///   - newID: The id of a session that begins.
    /// - Returns: What the event carries.
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
    ///   - writer: Where to.
    ///   - isAnonymous: Whether the user and the session before are left out.
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
