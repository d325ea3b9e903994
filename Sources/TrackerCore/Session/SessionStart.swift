/// A session that has begun.
public struct SessionStart: Sendable, Hashable {
    /// The session's id.
    public let id: String

    /// The id of the session before it, nil for the first.
    public let previousID: String?

    /// Its number among the user's sessions, from 1.
    public let index: Int

    /// The id of the session's user, which stays over restarts.
    public let userID: String
}
