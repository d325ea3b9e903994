/// The error of a call to Redis.
public struct RedisError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure.
    public enum Code: String, Sendable, Hashable {
        /// There is no connection, or it was lost.
        case disconnected
        /// The server did not answer in time.
        case timeout
        /// The server answered with an error.
        case refused
        /// The response does not fit the command, a stored value was not written by this store, or a message is too
        /// large.
        case unexpected
        /// The store was closed.
        case closed
    }

    /// The kind of failure.
    public let code: Code

    /// The description of the failure, as a sentence.
    public let reason: String

    /// The description of the failure, as a sentence.
    public var description: String { reason }

    static let withoutThread = RedisError(
        code: .disconnected, reason: "the system has no thread for a connection to Redis")
}
