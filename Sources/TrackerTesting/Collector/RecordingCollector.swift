import FoundationEssentials
public import TrackerCore

/// A transport that answers as a Snowplow collector, records the events, and fails on demand.
///
/// ```swift
/// let collector = RecordingCollector()
/// var options = SetupOptions()
/// options.transport = collector
///
/// collector.fail(.status(503), next: 2)
/// let events = try await collector.waitForEvents(1)
/// print(events[0].name, events[0].userID ?? "-", events[0].properties)
/// ```
///
/// It serves all collectors of a process: an event's ``CollectedEvent/namespace`` is that of its tracker, and ``requests``
/// have the URLs. Requests that have no events are answered with 200 and an empty body.
public final class RecordingCollector: HTTPTransport {
    private struct Failing: Sendable {
        let failure: CollectorFailure
        let host: String?
        /// How many requests are still to fail; nil for all.
        var count: Int?
    }

    private struct State: Sendable {
        var requests: [HTTPTransportRequest] = []
        var events: [CollectedEvent] = []
        var failing: [Failing] = []
        var waiters: [(count: Int, arrival: FirstResult<Bool>)] = []

        mutating func failure(of host: String) -> CollectorFailure? {
            guard let index = failing.firstIndex(where: { $0.host == nil || $0.host == host }) else { return nil }
            let failure = failing[index].failure
            if let count = failing[index].count {
                failing[index].count = count - 1
                if count <= 1 { failing.remove(at: index) }
            }
            return failure
        }
    }

    private let state = Locked(State())

    /// Creates a collector that takes all events.
    public init() {}

    /// The events that the collector took, in their order.
    public var events: [CollectedEvent] { state.withLock { $0.events } }

    /// Returns the events of a tracker.
    /// - Parameter namespace: The tracker's namespace.
    /// - Returns: The events in their order.
    public func events(of namespace: String) -> [CollectedEvent] { events.filter { $0.namespace.isExactly(namespace) } }

    /// Returns the events that have a name.
    /// - Parameter name: The name, see ``CollectedEvent/name``.
    /// - Returns: The events in their order.
    public func events(named name: String) -> [CollectedEvent] { events.filter { $0.name.isExactly(name) } }

    /// All requests, also those that failed.
    public var requests: [HTTPTransportRequest] { state.withLock { $0.requests } }

    /// Lets requests fail, after those of earlier calls have failed.
    /// - Parameters:
    ///   - failure: How they fail.
    ///   - count: How many requests fail, at least 1; nil, the default, for all until ``recover()``.
    ///   - host: The host whose requests fail, without a port; nil, the default, for all.
    public func fail(_ failure: CollectorFailure, next count: Int? = nil, at host: String? = nil) {
        state.withLock { $0.failing.append(Failing(failure: failure, host: host, count: count)) }
    }

    /// Takes the events of all requests from now on.
    public func recover() {
        state.withLock { $0.failing = [] }
    }

    /// Forgets all events and requests; failures stay.
    public func removeAll() {
        state.withLock { ($0.events, $0.requests) = ([], []) }
    }

    /// Waits until the collector has taken events.
    ///
    /// The limit is real time, whatever the clock of the service is. A tracker whose clock stands still sends no group of events
    /// that is not full, and no event of a failed request again, until the clock is moved or the tracker is flushed; those of
    /// ``TestSetup`` send each event at once.
    /// - Parameters:
    ///   - count: How many events, counted from the beginning or the last ``removeAll()``.
    ///   - time: A clock that is moved to the next time for which a task waits, repeatedly until the events have come; nil,
    ///     the default, leaves it to the test.
    ///   - timeout: The longest wait; 30 s by default.
    /// - Returns: All events that there are then, at least `count`.
    /// - Throws: ``CollectorTimeout`` if fewer came in the time, or if the task was cancelled.
    @discardableResult
    public func waitForEvents(
        _ count: Int, advancing time: ManualTime? = nil, timeout: Duration = .seconds(30)
    ) async throws(CollectorTimeout) -> [CollectedEvent] {
        let arrival = FirstResult<Bool>()
        let isThere = state.withLock { state in
            if state.events.count >= count { return true }
            state.waiters.append((count, arrival))
            return false
        }
        if isThere { return events }
        let timer = Task { if await SystemTime().sleepUnlessCancelled(for: timeout) { arrival.finish(false) } }
        let mover = time.map { time in Task { await time.advanceUntilCancelled() } }
        defer {
            timer.cancel()
            mover?.cancel()
        }
        let hasCome = await withTaskCancellationHandler {
            await arrival.value
        } onCancel: {
            arrival.finish(false)
        }
        let (events, requests) = state.withLock { state in
            state.waiters.removeAll { $0.arrival === arrival }
            return (state.events, state.requests.count)
        }
        // On a busy machine they may come at the moment at which the time is over.
        guard hasCome || events.count >= count else {
            throw CollectorTimeout(expected: count, events: events, requests: requests, timeout: timeout)
        }
        return events
    }

    /// Takes a request, or fails as the test wants it.
    /// - Parameter request: The request.
    /// - Returns: The answer of the collector.
    /// - Throws: The error of the failure that is set.
    public func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
        let isAnonymous = request.headers.contains { $0.name.lowercased() == "sp-anonymous" }
        let events = request.payloads.compactMap { CollectedEvent($0, isAnonymous: isAnonymous) }
        let host = URL(string: request.url)?.host() ?? ""
        let (failure, ready) = state.withLock { state in
            state.requests.append(request)
            let failure = state.failure(of: host)
            if failure?.takesEvents != false { state.events += events }
            let count = state.events.count
            let ready = state.waiters.filter { $0.count <= count }
            state.waiters.removeAll { $0.count <= count }
            return (failure, ready)
        }
        for waiter in ready { waiter.arrival.finish(true) }
        return try failure?.response() ?? HTTPTransportResponse(status: 200)
    }
}

/// Why a wait for events ended without them; see ``RecordingCollector/waitForEvents(_:advancing:timeout:)``.
public struct CollectorTimeout: Error, Sendable, Hashable, CustomStringConvertible {
    /// How many events were expected.
    public let expected: Int

    /// The events that had come.
    public let events: [CollectedEvent]

    /// How many requests had come, failed ones included.
    public let requests: Int

    /// The longest wait.
    public let timeout: Duration

    /// The numbers, and a line for each event that came.
    public var description: String {
        "\(events.count) of \(expected) events came within \(timeout), in \(requests) requests"
            + events.map { "\n- \($0)" }.joined()
    }
}
