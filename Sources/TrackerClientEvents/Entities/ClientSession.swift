public import FoundationEssentials
public import TrackerCore

/// The session of one user, `iglu:com.snowplowanalytics.snowplow/client_session/jsonschema/1-0-2`.
///
/// A service that knows the user's session attaches it to the user's events, instead of the tracker's own session,
/// which is the same for the whole process (``/TrackerConfig/TrackerConfiguration/sessionContext``):
///
/// ```swift
/// let session = ClientSession(userID: deviceID, sessionID: sessionID, sessionIndex: 4)
/// let context = TrackingContext(subject: EventSubject(userID: "u-1"), entities: [session.entity])
/// ```
///
/// Parameters that are nil are left out. Snowplow rejects an event with a value outside its bounds.
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

    /// The session as an entity with lower-case ids. Anonymous events have zeros for its user and no previous session.
    public let entity: Entity

    /// Creates a session.
    /// - Parameters:
    ///   - userID: The id of the session's user, such as that of a device or a browser.
    ///   - sessionID: The session's id.
    ///   - sessionIndex: The number of the user's session; 0 … 2,147,483,647.
    ///   - eventIndex: The number of the event in the session; 0 … 2,147,483,647; nil by default.
    ///   - previousSessionID: The id of the user's previous session; nil, the default, is written as `null`.
    ///   - storage: The place where the session's data is stored; a first-party cookie by default.
    ///   - firstEventID: The id of the session's first event; nil by default.
    ///   - firstEventTime: The time when the session's first event was tracked, to the millisecond; nil by default, and
    ///     left out outside the years 0000 to 9999.
    public init(
        userID: UUID, sessionID: UUID, sessionIndex: Int, eventIndex: Int? = nil, previousSessionID: UUID? = nil,
        storage: Storage = .firstPartyCookie, firstEventID: UUID? = nil, firstEventTime: Date? = nil
    ) {
        let data = JSONObject(data: [
            "userId": userID, "sessionId": sessionID, "sessionIndex": sessionIndex, "eventIndex": eventIndex,
            "previousSessionId": previousSessionID?.jsonValue ?? JSONValue.null,
            "storageMechanism": storage.rawValue, "firstEventId": firstEventID, "firstEventTimestamp": firstEventTime,
        ])
        entity = Entity(schema: Entity.clientSessionSchema, data: data)
    }
}
