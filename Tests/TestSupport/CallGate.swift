import TrackerCore

/// Holds the calls of a test double until the test releases them, and tells the test of them.
package final class CallGate: Sendable {
    private struct State: Sendable {
        var calls: [String] = []
        var active = 0
        var maxActive = 0
        var isDown = false
        var isHolding = false
        var held: [CheckedContinuation<Void, Never>] = []
        var waiters: [(isReady: @Sendable (State) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []

        mutating func takeReadyWaiters() -> [CheckedContinuation<Void, Never>] {
            let state = self
            defer { waiters.removeAll { $0.isReady(state) } }
            return waiters.filter { $0.isReady(state) }.map(\.continuation)
        }
    }

    /// What a call throws while the double is down.
    package struct Outage: Error, CustomStringConvertible {
        package let description: String
    }

    private let name: String
    private let state = Locked(State())

    /// - Parameter name: What an ``Outage`` says is down.
    package init(_ name: String) {
        self.name = name
    }

    /// The calls so far, also those that are held.
    package var calls: [String] { state.withLock { $0.calls } }

    /// The most calls at one time.
    package var maxActive: Int { state.withLock { $0.maxActive } }

    /// Lets every call fail, or none.
    package func fail(_ isDown: Bool) {
        state.withLock { $0.isDown = isDown }
    }

    /// Lets calls wait until they are released, whatever is cancelled.
    package func hold() {
        state.withLock { $0.isHolding = true }
    }

    /// Lets the held calls and all later ones pass.
    package func release() {
        let held = state.withLock { state in
            state.isHolding = false
            defer { state.held = [] }
            return state.held
        }
        for continuation in held { continuation.resume() }
    }

    /// Returns as soon as that many calls were made, held or not.
    package func wait(forCalls count: Int) async {
        await wait { $0.calls.count >= count }
    }

    /// Returns as soon as a call is held.
    package func waitForHeldCall() async {
        await wait { !$0.held.isEmpty }
    }

    private func wait(until isReady: @escaping @Sendable (State) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if !isReady(state) { state.waiters.append((isReady, continuation)) }
                return isReady(state)
            }
            if isThere { continuation.resume() }
        }
    }

    /// Makes a call: it waits while calls are held.
    /// - Throws: ``Outage`` while the double is down.
    package func pass(_ call: String) async throws {
        await withCheckedContinuation { continuation in
            let (isHeld, ready) = state.withLock { state in
                state.calls.append(call)
                state.active += 1
                state.maxActive = max(state.maxActive, state.active)
                if state.isHolding { state.held.append(continuation) }
                return (state.isHolding, state.takeReadyWaiters())
            }
            for waiter in ready { waiter.resume() }
            if !isHeld { continuation.resume() }
        }
        let isDown = state.withLock { state in
            state.active -= 1
            return state.isDown
        }
        if isDown { throw Outage(description: "\(name) is down") }
    }
}
