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
/// It serves all collectors of a process: ``CollectedEvent/namespace`` names the tracker, and ``requests`` have the
/// URLs. Requests without events are answered with 200 and an empty body.
public final class RecordingCollector: HTTPTransport {
    private struct Failing: Sendable {
        let failure: CollectorFailure
        let host: String?
        /// The number of requests that are still to fail; nil for all.
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

    /// Creates a collector that accepts all events.
    public init() {}

    /// The events that the collector accepted, in the order in which they arrived.
    public var events: [CollectedEvent] { state.withLock { $0.events } }

    /// Returns the events of a tracker.
    /// - Parameter namespace: The tracker's namespace.
    /// - Returns: The events in the order in which they arrived.
    public func events(of namespace: String) -> [CollectedEvent] { events.filter { $0.namespace.isExactly(namespace) } }

    /// Returns the events with a name.
    /// - Parameter name: The name, see ``CollectedEvent/name``.
    /// - Returns: The events in the order in which they arrived.
    public func events(named name: String) -> [CollectedEvent] { events.filter { $0.name.isExactly(name) } }

    /// All requests, including failed ones.
    public var requests: [HTTPTransportRequest] { state.withLock { $0.requests } }

    /// Makes requests fail, after the failures of earlier calls.
    /// - Parameters:
    ///   - failure: The failure.
    ///   - count: The number of requests that fail, at least 1; nil, the default, for all until ``recover()``.
    ///   - host: The host whose requests fail, without a port; nil, the default, for all.
    public func fail(_ failure: CollectorFailure, next count: Int? = nil, at host: String? = nil) {
        state.withLock { $0.failing.append(Failing(failure: failure, host: host, count: count)) }
    }

    /// Removes all failures, so that the collector accepts the events of all requests.
    public func recover() {
        state.withLock { $0.failing = [] }
    }

    /// Removes all events and requests; failures stay.
    public func removeAll() {
        state.withLock { ($0.events, $0.requests) = ([], []) }
    }

    /// Waits until the collector has accepted a number of events.
    ///
    /// The timeout is in real time, whichever clock the service uses. While its clock stands still, a tracker sends
    /// neither an incomplete group of events nor a retry, until the clock is moved or the tracker is flushed; trackers
    /// of ``TestSetup`` send each event at once.
    /// - Parameters:
    ///   - count: The number of events, counted from the beginning or the last ``removeAll()``.
    ///   - time: A clock that is moved repeatedly to the next time for which a task waits, until the events have
    ///     arrived; nil, the default, if the test moves it.
    ///   - timeout: The longest wait; 30 s by default.
    /// - Returns: All events that the collector has accepted by then, at least `count`.
    /// - Throws: ``CollectorTimeout`` if fewer events arrived in time, or if the task was cancelled.
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
        // On a busy machine the events may arrive just as the timeout ends.
        guard hasCome || events.count >= count else {
            throw CollectorTimeout(expected: count, events: events, requests: requests, timeout: timeout)
        }
        return events
    }

    /// Receives a request and answers it as the test has configured.
    /// - Parameter request: The request.
    /// - Returns: The collector's response.
    /// - Throws: The error of the current failure.
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

/// The error of a wait that ended without the events; see ``RecordingCollector/waitForEvents(_:advancing:timeout:)``.
public struct CollectorTimeout: Error, Sendable, Hashable, CustomStringConvertible {
    /// The number of events that were expected.
    public let expected: Int

    /// The events that arrived.
    public let events: [CollectedEvent]

    /// The number of requests that arrived, including failed ones.
    public let requests: Int

    /// The longest wait.
    public let timeout: Duration

    /// The numbers, and a line for each event that arrived.
    public var description: String {
        "\(events.count) of \(expected) events came within \(timeout), in \(requests) requests"
            + events.map { "\n- \($0)" }.joined()
    }
}
