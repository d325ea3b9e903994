/// A session that has begun.
public struct SessionStart: Sendable, Hashable {
    /// The session's id.
    public let id: String

    /// The id of the session before it, nil for the first.
    public let previousID: String?

    /// Its number among the user's sessions, from 1.
    public let index: Int

    /// The id of the session's user, which stays over restarts; each namespace has its own. (Snowplow's mobile trackers have one
    /// for the installation.)
    public let userID: String

    /// Creates the start of a session.
    /// - Parameters:
    ///   - id: The session's id.
    ///   - previousID: The id of the session before it, nil for the first.
    ///   - index: Its number among the user's sessions, from 1.
    ///   - userID: The id of the session's user, which stays over restarts.
    public init(id: String, previousID: String? = nil, index: Int, userID: String) {
        self.id = id
        self.previousID = previousID
        self.index = index
        self.userID = userID
    }

    init(_ session: Session.Stamp) {
        self.init(id: session.id, previousID: session.previousID, index: session.index, userID: session.userID)
    }
}
