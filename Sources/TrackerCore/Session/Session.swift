/// A tracker's session: which one an event belongs to, and when the next one begins.
struct Session: Sendable {
    /// The part of a session that an event carries.
    struct Stamp: Sendable {
        let userID: String
        let id: String
        let index: Int
        let previousID: String?
        let eventIndex: Int
        let firstEventID: String
        let firstEventTime: String

        /// Whether the event began the session.
        var isFirst: Bool { eventIndex == 1 }
    }

    /// What an event adds to its session.
    struct Activity {
        let event: EventID
        let wallTime: Int64
        let uptime: Duration
    }

    /// The id of the current session, nil before the first event.
    private(set) var id: String?
    // Written when the first session begins: most trackers have none.
    private var userID: String?
    private let newUserID: EventID
    private var previousID: String?
    private var index = 0
    private var eventIndex = 0
    private var firstEventID = ""
    private var firstEventTime = ""
    private var lastActivity = Duration.zero
    private var lastWallTime: Int64 = 0
    private var isOver = false

    /// Since when the session stands still, nil if it does not.
    private var pausedSince: Duration?

    /// Which of the two timeouts counts.
    var isInBackground = false

    /// Begins where an earlier process left off.
    /// - Parameters:
    ///   - record: What the earlier process left, nil for nothing.
    ///   - isContinued: Whether its last session goes on where it is young enough.
    ///   - time: The clock.
    ///   - newUserID: The user's id if there is no record.
    init(_ record: SessionRecord?, isContinued: Bool, time: any TimeSource, newUserID: EventID) {
        (userID, self.newUserID) = (record?.userID, newUserID)
        guard let record else { return }
        index = record.index
        previousID = record.previousID
        guard isContinued else {
            previousID = record.id
            return
        }
        (id, eventIndex) = (record.id, record.eventIndex)
        (firstEventID, firstEventTime) = (record.firstEventID, record.firstEventTime)
        // A wall clock that was set back makes the session younger, not older than it can be.
        lastActivity = time.uptime - .milliseconds(max(0, time.wallTime - record.lastActivity))
        lastWallTime = record.lastActivity
    }

    /// What is to outlive the process; nil before the first event.
    var record: SessionRecord? {
        id.map { id in
            SessionRecord(
                userID: userID ?? newUserID.description, id: id, index: index, previousID: previousID,
                eventIndex: eventIndex, firstEventID: firstEventID, firstEventTime: firstEventTime,
                lastActivity: lastWallTime)
        }
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
    mutating func advance(_ occasion: Activity, timeouts: SessionConfiguration, newID: () -> EventID) -> Stamp {
        let timeout = isInBackground ? timeouts.backgroundTimeout : timeouts.foregroundTimeout
        let isIdleTooLong = !isPaused && timeout.map { occasion.uptime - lastActivity >= $0 } ?? false
        if id == nil || isOver || isIdleTooLong {
            // Before the first event it is the session before the restart, if there was one.
            previousID = id ?? previousID
            id = newID().description
            index += 1
            eventIndex = 0
            firstEventID = occasion.event.description
            firstEventTime = Timestamp.iso8601(milliseconds: occasion.wallTime)
            isOver = false
        }
        let userID = self.userID ?? newUserID.description
        self.userID = userID
        eventIndex += 1
        lastActivity = occasion.uptime
        lastWallTime = occasion.wallTime
        return Stamp(
            userID: userID, id: id ?? "", index: index, previousID: previousID, eventIndex: eventIndex,
            firstEventID: firstEventID, firstEventTime: firstEventTime)
    }
}

extension Session {
    /// Takes back the newest event, which was refused: the next one takes its place. Does nothing after another event.
    mutating func withdraw(_ stamp: Stamp) {
        guard id == stamp.id, eventIndex == stamp.eventIndex else { return }
        eventIndex -= 1
        guard stamp.isFirst else { return }
        (id, previousID) = (nil, stamp.previousID)
        index -= 1
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
