/// A tracker's session: which one an event belongs to, and when the next one begins.
struct Session: Sendable {
    /// The part of a session that an event carries.
    struct Stamp: Sendable {
        let userId: String
        let id: String
        let index: Int
        let previousId: String?
        let eventIndex: Int
        let firstEventId: String
        let firstEventTime: String
    }

    /// What an event brings to its session.
    struct Occasion {
        let event: EventID
        let wallTime: Int64
        let uptime: Duration
    }

    /// The id of the current session, nil before the first event.
    private(set) var id: String?
    private let userId: String
    private var previousId: String?
    private var index = 0
    private var eventIndex = 0
    private var firstEventId = ""
    private var firstEventTime = ""
    private var lastActivity = Duration.zero
    private var isOver = false

    /// Since when the session stands still, nil where it does not.
    private var pausedSince: Duration?

    /// Which of the two timeouts counts.
    var isInBackground = false

    init(userId: EventID) {
        self.userId = userId.description
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
    ///   - occasion: The event.
    ///   - timeouts: When a session ends.
    ///   - newID: Asked for an id where a new session begins.
    /// - Returns: What the event carries.
    mutating func advance(_ occasion: Occasion, timeouts: SessionConfiguration, newID: () -> EventID) -> Stamp {
        let timeout = isInBackground ? timeouts.backgroundTimeout : timeouts.foregroundTimeout
        let isIdleTooLong = !isPaused && timeout.map { occasion.uptime - lastActivity >= $0 } ?? false
        if id == nil || isOver || isIdleTooLong {
            previousId = id
            id = newID().description
            index += 1
            eventIndex = 0
            firstEventId = occasion.event.description
            firstEventTime = Timestamp.iso8601(milliseconds: occasion.wallTime)
            isOver = false
        }
        eventIndex += 1
        lastActivity = occasion.uptime
        return Stamp(
            userId: userId, id: id ?? "", index: index, previousId: previousId, eventIndex: eventIndex,
            firstEventId: firstEventId, firstEventTime: firstEventTime)
    }
}

extension Session.Stamp {
    /// The session as `iglu:com.snowplowanalytics.snowplow/client_session/jsonschema/1-0-2`.
    /// - Parameters:
    ///   - writer: Where to.
    ///   - isAnonymous: Whether the user and the session before are left out.
    func write(to writer: inout ByteWriter, isAnonymous: Bool) {
        writer.append("{\"schema\":\"iglu:com.snowplowanalytics.snowplow/client_session/jsonschema/1-0-2\",\"data\":{")
        writer.append("\"userId\":\"")
        writer.append(raw: isAnonymous ? "00000000-0000-0000-0000-000000000000" : userId)
        writer.append("\",\"sessionId\":\"")
        writer.append(raw: id)
        writer.append("\",\"sessionIndex\":")
        writer.append(decimal: Int64(index))
        writer.append(",\"eventIndex\":")
        writer.append(decimal: Int64(eventIndex))
        writer.append(",\"previousSessionId\":")
        if let previousId, !isAnonymous { writer.append(quoted: previousId) } else { writer.append("null") }
        writer.append(",\"storageMechanism\":\"SQLITE\",\"firstEventId\":\"")
        writer.append(raw: firstEventId)
        writer.append("\",\"firstEventTimestamp\":\"")
        writer.append(raw: firstEventTime)
        writer.append("\"}}")
    }
}
