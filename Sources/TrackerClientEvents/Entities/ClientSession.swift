public import FoundationEssentials
public import TrackerCore

/// The session of one user, `iglu:com.snowplowanalytics.snowplow/client_session/jsonschema/1-0-2`.
///
/// A service that knows the user's session attaches it to the user's events, instead of the tracker's own session,
/// which is the same for the whole process (``/TrackerConfig/TrackerConfiguration/sessionContext``):
///
/// ```swift
/// let session = try ClientSession(userID: deviceID, sessionID: sessionID, sessionIndex: 4)
/// let context = TrackingContext(subject: EventSubject(userID: "u-1"), entities: [session.entity])
/// ```
public struct ClientSession: Sendable, Hashable {
    /// The place where the session's data is stored.
    @nonexhaustive
    public enum Storage: String, Sendable, Hashable, CaseIterable {
        /// A database of the service or the app.
        case database = "SQLITE"
        /// A first-party cookie.
        case firstPartyCookie = "COOKIE_1"
        /// A third-party cookie.
        case thirdPartyCookie = "COOKIE_3"
        /// The browser's local storage.
        case localStorage = "LOCAL_STORAGE"
    }

    /// The id of the session's user, such as that of a device or a browser; anonymous events have zeros instead.
    public let userID: UUID

    /// The session's id.
    public let sessionID: UUID

    /// The number of the user's session; 0 … 2,147,483,647.
    public let sessionIndex: Int

    /// The number of the event in the session; 0 … 2,147,483,647; nil if it is not known.
    public let eventIndex: Int?

    /// The id of the user's previous session; nil if there is none. Anonymous events leave it out.
    public let previousSessionID: UUID?

    /// The place where the session's data is stored.
    public let storage: Storage

    /// The id of the session's first event; nil if it is not known.
    public let firstEventID: UUID?

    /// The time when the session's first event was tracked; nil if it is not known.
    public let firstEventTime: Date?

    /// Creates a session.
    /// - Parameters:
    ///   - userID: The id of the session's user, such as that of a device or a browser.
    ///   - sessionID: The session's id.
    ///   - sessionIndex: The number of the user's session; 0 … 2,147,483,647.
    ///   - eventIndex: The number of the event in the session; 0 … 2,147,483,647; nil by default.
    ///   - previousSessionID: The id of the user's previous session; nil by default.
    ///   - storage: Where the session's data is stored; a first-party cookie by default.
    ///   - firstEventID: The id of the session's first event; nil by default.
    ///   - firstEventTime: When the session's first event was tracked, in the years 0000 to 9999; nil by default.
    /// - Throws: ``/TrackerConfig/EventError`` if a number or the time is outside its bounds.
    public init(
        userID: UUID, sessionID: UUID, sessionIndex: Int, eventIndex: Int? = nil, previousSessionID: UUID? = nil,
        storage: Storage = .firstPartyCookie, firstEventID: UUID? = nil, firstEventTime: Date? = nil
    ) throws(EventError) {
        let check = ValueCheck(Self.self)
        self.userID = userID
        self.sessionID = sessionID
        self.sessionIndex = try check.integer(sessionIndex, "sessionIndex", in: 0...Int(Int32.max))
        self.eventIndex = try check.integer(eventIndex, "eventIndex", in: 0...Int(Int32.max))
        self.previousSessionID = previousSessionID
        self.storage = storage
        self.firstEventID = firstEventID
        self.firstEventTime = try check.date(firstEventTime, "firstEventTime")
    }

    /// The session as an entity, its ids in lower case.
    public var entity: Entity {
        func text(_ id: UUID) -> JSONValue { .string(id.uuidString.lowercased()) }
        let data = JSONObject(present: [
            ("userId", text(userID)), ("sessionId", text(sessionID)), ("sessionIndex", .int(sessionIndex)),
            ("eventIndex", eventIndex.map(JSONValue.int)),
            ("previousSessionId", previousSessionID.map(text) ?? .null),
            ("storageMechanism", .string(storage.rawValue)), ("firstEventId", firstEventID.map(text)),
            ("firstEventTimestamp", firstEventTime.flatMap(Timestamp.iso8601).map(JSONValue.string)),
        ])
        return Entity(schema: Entity.clientSessionSchema, data: data)
    }
}
