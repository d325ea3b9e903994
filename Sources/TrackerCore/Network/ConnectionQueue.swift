/// The order in which requests get a connection: a decision apart from sockets and threads.
///
/// The requests in progress are bounded in total and per server. The server with the fewest requests in progress comes
/// first, and requests to one server keep their order. The last quarter of the total is reserved for servers without a
/// request in progress, so that a few servers that hang do not delay the requests to others. libcurl's own bounds have
/// no such share, and waiting for them counts towards the request's timeout.
struct ConnectionQueue<Element> {
    /// A request that waits for a connection.
    struct Waiting {
        let id: UInt64
        /// The time until which it waits.
        let deadline: Duration
        let element: Element
    }

    private let most: Int
    private let maxPerServer: Int
    /// The number of requests in progress by server, without zeros.
    private var counts: [String: Int] = [:]
    private var waiting: [String: [Waiting]] = [:]

    /// The earliest time at which a waiting request may expire; nil if none waits.
    var nextDeadline: Duration? { waiting.values.joined().lazy.map(\.deadline).min() }

    /// Creates an empty queue.
    /// - Parameters:
    ///   - most: The maximum number of requests in progress, at least 1.
    ///   - maxPerServer: The maximum number of requests in progress to one server, at least 1.
    init(most: Int, maxPerServer: Int) {
        self.most = most
        self.maxPerServer = maxPerServer
    }

    /// Adds a request.
    mutating func add(_ request: Waiting, server: String) {
        waiting[server, default: []].append(request)
    }

    /// Takes the next request that may start, and counts it as in progress.
    /// - Returns: The request and its server, nil if none may start now.
    mutating func next() -> (element: Element, server: String)? {
        let total = counts.values.reduce(0, +)
        let candidates = waiting.compactMap { server, requests -> (Int, UInt64, String)? in
            let count = counts[server] ?? 0
            let bound = count == 0 ? most : most - most / 4
            return total < bound && count < maxPerServer ? (count, requests[0].id, server) : nil
        }
        guard let server = candidates.min(by: <)?.2, let first = waiting[server]?.removeFirst() else { return nil }
        if waiting[server]?.isEmpty == true { waiting[server] = nil }
        counts[server, default: 0] += 1
        return (first.element, server)
    }

    /// Counts a request as no longer in progress.
    mutating func finished(_ server: String) {
        counts[server] = counts[server].flatMap { $0 > 1 ? $0 - 1 : nil }
    }

    /// Removes waiting requests.
    mutating func remove(where isMeant: (Waiting) -> Bool) -> [Element] {
        let removed = waiting.values.joined().filter(isMeant)
        if removed.isEmpty { return [] }
        waiting = waiting.mapValues { $0.filter { !isMeant($0) } }.filter { !$0.value.isEmpty }
        return removed.map(\.element)
    }
}
