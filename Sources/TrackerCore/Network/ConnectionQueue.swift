/// The order in which requests get a connection: a decision apart from sockets and threads.
///
/// The requests in progress are bounded in total and per server. Servers take turns, and of one server the request that
/// came first is first. The last quarter of the total is kept for servers without a request in progress, so that a few
/// servers that hang do not delay the requests to others.
struct ConnectionQueue<Element> {
    private struct Waiting {
        let id: UInt64
        let deadline: Duration
        let element: Element
    }

    private let most: Int
    private let maxPerServer: Int
    private var count = 0
    private var counts: [String: Int] = [:]
    private var waiting: [String: [Waiting]] = [:]
    /// The servers with waiting requests; the one whose turn it is comes first.
    private var turns: [String] = []
    private var servers: [UInt64: String] = [:]

    /// The earliest time at which a waiting request may expire; nil if none waits.
    private(set) var nextDeadline: Duration?

    /// Creates an empty queue.
    /// - Parameters:
    ///   - most: The most requests in progress, at least 1.
    ///   - maxPerServer: The most requests in progress to one server, at least 1.
    init(most: Int, maxPerServer: Int) {
        self.most = max(most, 1)
        self.maxPerServer = max(maxPerServer, 1)
    }

    /// Adds a request that waits for a connection.
    /// - Parameters:
    ///   - element: The request.
    ///   - id: Its id.
    ///   - server: The server that it is for.
    ///   - deadline: The time until which it waits.
    mutating func add(_ element: Element, id: UInt64, server: String, deadline: Duration) {
        if waiting[server] == nil { turns.append(server) }
        waiting[server, default: []].append(Waiting(id: id, deadline: deadline, element: element))
        servers[id] = server
        nextDeadline = min(nextDeadline ?? deadline, deadline)
    }

    /// Takes the next request that may start, and counts it as in progress.
    /// - Returns: The request and its server, nil if none may start now.
    mutating func next() -> (element: Element, server: String)? {
        guard count < most, let turn = turns.firstIndex(where: mayStart) else { return nil }
        let server = turns[turn]
        guard let first = waiting[server]?.removeFirst() else { return nil }
        turns.remove(at: turn)
        if waiting[server]?.isEmpty == true { waiting[server] = nil } else { turns.append(server) }
        servers[first.id] = nil
        if servers.isEmpty { nextDeadline = nil }
        count += 1
        counts[server, default: 0] += 1
        return (first.element, server)
    }

    private func mayStart(_ server: String) -> Bool {
        guard let count = counts[server] else { return true }
        return count < maxPerServer && self.count < most - most / 4
    }

    /// Counts a request as no longer in progress.
    mutating func finished(_ server: String) {
        count -= 1
        if let left = counts[server] { counts[server] = left > 1 ? left - 1 : nil }
    }

    /// Removes a waiting request.
    /// - Returns: The request, nil if it is not waiting.
    mutating func remove(_ id: UInt64) -> Element? {
        guard let server = servers.removeValue(forKey: id),
            let index = waiting[server]?.firstIndex(where: { $0.id == id }),
            let removed = waiting[server]?.remove(at: index)
        else { return nil }
        if waiting[server]?.isEmpty == true {
            waiting[server] = nil
            turns.removeAll { $0 == server }
        }
        if servers.isEmpty { nextDeadline = nil }
        return removed.element
    }

    /// Removes the waiting requests whose deadline has passed.
    mutating func removeExpired(at now: Duration) -> [Element] {
        guard let nextDeadline, nextDeadline <= now else { return [] }
        let expired = waiting.values.joined().filter { $0.deadline <= now }.map(\.id)
        let elements = expired.compactMap { remove($0) }
        self.nextDeadline = waiting.values.joined().map(\.deadline).min()
        return elements
    }

    /// Removes all waiting requests.
    mutating func removeAll() -> [Element] {
        servers.keys.sorted().compactMap { remove($0) }
    }
}
