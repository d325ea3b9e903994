package import TrackerCore
import TrackerTesting

/// A transport that hands each request to the test and waits for the test's answer.
///
/// Without a script it answers 200; ``respond`` decides at once, and ``hold()`` lets requests wait until the test
/// answers them.
package final class ScriptedTransport: HTTPTransport {
    /// What becomes of a request.
    package typealias Answer = Result<HTTPTransportResponse, HTTPTransportError>

    /// A request that waits for its answer.
    package struct Held: Sendable {
        package let request: HTTPTransportRequest
        private let continuation: CheckedContinuation<Answer, Never>

        fileprivate init(_ request: HTTPTransportRequest, _ continuation: CheckedContinuation<Answer, Never>) {
            self.request = request
            self.continuation = continuation
        }

        package func answer(_ status: Int, headers: [HTTPHeader] = [], body: [UInt8] = []) {
            continuation.resume(
                returning: .success(HTTPTransportResponse(status: status, headers: headers, body: body)))
        }

        package func fail(_ code: NamedCode<HTTPTransportError> = .failed) {
            continuation.resume(returning: .failure(HTTPTransportError(code, reason: "the test says so")))
        }
    }

    private struct State: Sendable {
        var requests: [HTTPTransportRequest] = []
        var script: [Answer] = []
        var fallback: @Sendable (HTTPTransportRequest) -> Answer = { _ in .success(HTTPTransportResponse(status: 200)) }
        var isHolding = false
        var held: [Held] = []
        var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
        var takers: [CheckedContinuation<Held, Never>] = []
    }

    private let state = Locked(State())

    package init() {}

    /// All requests so far.
    package var requests: [HTTPTransportRequest] { state.withLock { $0.requests } }

    /// Answers the next requests with these statuses, one each, and then 200.
    package func script(_ statuses: Int...) {
        state.withLock { $0.script += statuses.map { .success(HTTPTransportResponse(status: $0)) } }
    }

    /// Answers the next requests so, one each.
    package func script(_ answers: [Answer]) {
        state.withLock { $0.script += answers }
    }

    /// Decides all answers for which there is no script.
    package func respond(_ fallback: @escaping @Sendable (HTTPTransportRequest) -> Answer) {
        state.withLock { $0.fallback = fallback }
    }

    /// Lets requests wait until ``next()`` takes them.
    package func hold() {
        state.withLock { $0.isHolding = true }
    }

    /// Answers requests at once again.
    package func release() {
        state.withLock { $0.isHolding = false }
    }

    /// The oldest request that waits, or the next that comes.
    package func next() async -> Held {
        await withCheckedContinuation { continuation in
            let held = state.withLock { state -> Held? in
                if !state.held.isEmpty { return state.held.removeFirst() }
                state.takers.append(continuation)
                return nil
            }
            if let held { continuation.resume(returning: held) }
        }
    }

    /// Returns as soon as that many requests have come.
    package func waitForRequests(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if state.requests.count >= count { return true }
                state.waiters.append((count, continuation))
                return false
            }
            if isReady { continuation.resume() }
        }
    }

    package func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
        let (answer, ready) = state.withLock { state -> (Answer?, [CheckedContinuation<Void, Never>]) in
            state.requests.append(request)
            let count = state.requests.count
            let ready = state.waiters.filter { $0.count <= count }.map(\.continuation)
            state.waiters.removeAll { $0.count <= count }
            if state.isHolding { return (nil, ready) }
            return (state.script.isEmpty ? state.fallback(request) : state.script.removeFirst(), ready)
        }
        for waiter in ready { waiter.resume() }
        if let answer { return try answer.get() }
        let later = await withCheckedContinuation { continuation in
            let held = Held(request, continuation)
            let taker = state.withLock { state -> CheckedContinuation<Held, Never>? in
                if !state.takers.isEmpty { return state.takers.removeFirst() }
                state.held.append(held)
                return nil
            }
            taker?.resume(returning: held)
        }
        return try later.get()
    }
}

extension HTTPTransportRequest {
    /// The events of a POST request to a collector, each by its parameters.
    package var events: [[String: String]] {
        method == "POST" ? payloads.map(\.texts) : []
    }
}
