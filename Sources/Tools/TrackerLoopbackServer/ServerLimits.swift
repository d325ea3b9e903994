/// What a server allows its clients.
package struct ServerLimits: Sendable {
    /// The most connections at a time. For a further one, that is closed which waits longest for a whole request; if all
    /// of them have one, the further one gets 503 and is closed. Built in: 128.
    package var maxConnections = 128

    /// The longest that a new connection may take for the head of its first request; then it is closed. Built in: 5 s.
    package var firstHeadTime = Duration.seconds(5)

    /// The longest that a connection may take for its next request, idle time included, or stand still while an answer is
    /// sent; then it is closed. Built in: 30 s.
    package var requestTime = Duration.seconds(30)

    /// The largest body that is read, in bytes; larger ones get 413. Built in: 64 MiB.
    package var maxBodySize = RequestReader.bodyLimit

    /// Creates limits that are all built in.
    package init() {}
}
