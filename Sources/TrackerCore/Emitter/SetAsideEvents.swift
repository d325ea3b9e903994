/// The events that the collector refuses as too large although each is sent alone: they wait on a schedule of their own and
/// are part of no other pass.
///
/// One of them is tried at a time, in turn, with a back-off. Once one is delivered, the others follow: one, two, four and so
/// on at a time.
struct SetAsideEvents: Sendable {
    /// The most events. If more are refused, the namespace backs off as after any failure.
    static let maxCount = 100_000

    private(set) var ids: Set<Int64> = []
    /// The ids in the order of their next try.
    private var turns: [Int64] = []
    private var backoff = Backoff()
    /// The time of the next try; nil before the first refusal, and without events.
    private var nextTry: Duration?
    /// How many are released after the next delivery.
    private var released = 1

    var isEmpty: Bool { ids.isEmpty }

    /// The event to try now; nil if none is due.
    func due(at uptime: Duration) -> Int64? { uptime >= nextTry ?? .zero ? turns.first : nil }

    /// The time until the next try.
    func wait(at uptime: Duration) -> Duration { max(.zero, (nextTry ?? .zero) - uptime) }

    /// Sets an event aside.
    /// - Returns: Whether it is set aside; false at the bound.
    mutating func add(_ id: Int64) -> Bool {
        guard !ids.contains(id) else { return true }
        guard ids.count < Self.maxCount else { return false }
        ids.insert(id)
        turns.append(id)
        return true
    }

    /// Forgets an event that is in the store no more.
    mutating func remove(_ id: Int64) {
        ids.remove(id)
        turns.removeAll { $0 == id }
        if ids.isEmpty { (backoff, nextTry, released) = (Backoff(), nil, 1) }
    }

    /// An event was delivered when its turn came: the next are released.
    mutating func delivered(_ id: Int64, at uptime: Duration) {
        remove(id)
        for id in turns.prefix(released) { ids.remove(id) }
        turns.removeFirst(min(released, turns.count))
        released = min(released * 2, Self.maxCount)
        backoff.reset()
        nextTry = ids.isEmpty ? nil : uptime
    }

    /// An event was not delivered when its turn came.
    mutating func failed(_ id: Int64) {
        guard turns.first == id else { return }
        turns.append(turns.removeFirst())
        released = 1
    }

    /// Sets the time of the next try, after a refusal. One that was met in a pass of other events changes no schedule.
    /// - Parameters:
    ///   - isTurn: Whether the refused event had its turn.
    ///   - uptime: The time.
    ///   - fraction: A random number in 0 ..< 1, for the jitter.
    ///   - retryAfter: What the collector asked for.
    ///   - most: The longest wait if it asked for none.
    mutating func postpone(
        isTurn: Bool, at uptime: Duration, fraction: Double, retryAfter: Duration?, most: Duration
    ) {
        guard isTurn || nextTry == nil else { return }
        nextTry = uptime + backoff.next(fraction: fraction, retryAfter: retryAfter, most: most)
    }
}
