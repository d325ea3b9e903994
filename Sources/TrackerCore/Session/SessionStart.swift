/// The start of a session.
public struct SessionStart: Sendable, Hashable {
    /// The session's id.
    public let id: String

    /// The id of the previous session; nil for the first.
    public let previousID: String?

    /// The number of the user's session, from 1.
    public let index: Int

    /// The id of the session's user, which stays the same after restarts; each namespace has its own. (Snowplow's
    /// mobile trackers have one for the installation.)
    public let userID: String

    /// Creates the start of a session.
    /// - Parameters:
    ///   - id: The session's id.
    ///   - previousID: The id of the previous session; nil for the first.
    ///   - index: The number of the user's session, from 1.
    ///   - userID: The id of the session's user, which stays the same after restarts.
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
