import TrackerConfig
import TrackerCore

/// A cache of a fleet on a network, which answers when the test lets it.
final class FleetCache: ConfigurationCache {
    struct Outage: Error, CustomStringConvertible {
        var description: String { "the cache is down" }
    }

    private struct State: Sendable {
        var entries: [String: [CacheEntry]] = [:]
        var calls: [String] = []
        var isDown = false
        var isHolding = false
        var rivals: [CacheEntry] = []
        var alwaysLoses = false
        var active = 0
        var mostActive = 0
        var held: [CheckedContinuation<Void, Never>] = []
        var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Locked(State())

    /// What was called: `read` and `replace`.
    var calls: [String] { state.withLock { $0.calls } }

    /// The most calls at one time.
    var mostActive: Int { state.withLock { $0.mostActive } }

    func versions(_ url: String = Service.url) -> [Int] { state.withLock { $0.entries[url] ?? [] }.map(\.version) }

    func set(_ entries: CacheEntry..., for url: String = Service.url) {
        state.withLock { $0.entries[url] = entries }
    }

    /// Lets every call fail, or none.
    func fail(_ isDown: Bool) {
        state.withLock { $0.isDown = isDown }
    }

    /// Lets another process be faster than each of the next replacements.
    func lose(to rivals: CacheEntry...) {
        state.withLock { $0.rivals = rivals }
    }

    func loseAlways() {
        state.withLock { $0.alwaysLoses = true }
    }

    /// Lets calls wait until they are released, whatever is cancelled.
    func hold() {
        state.withLock { $0.isHolding = true }
    }

    func release() {
        let held = state.withLock { state in
            state.isHolding = false
            defer { state.held = [] }
            return state.held
        }
        for continuation in held { continuation.resume() }
    }

    /// Returns as soon as that many calls were made.
    func wait(for count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.calls.count < count { state.waiters.append((count, continuation)) }
                return state.calls.count >= count
            }
            if isThere { continuation.resume() }
        }
    }

    private func begin(_ call: String) async throws {
        await withCheckedContinuation { continuation in
            let (isHeld, ready) = state.withLock { state in
                state.calls.append(call)
                state.active += 1
                state.mostActive = max(state.mostActive, state.active)
                if state.isHolding { state.held.append(continuation) }
                let ready = state.waiters.filter { $0.count <= state.calls.count }
                state.waiters.removeAll { $0.count <= state.calls.count }
                return (state.isHolding, ready)
            }
            for waiter in ready { waiter.continuation.resume() }
            if !isHeld { continuation.resume() }
        }
        state.withLock { $0.active -= 1 }
        if state.withLock({ $0.isDown }) { throw Outage() }
    }

    func entries(for url: String) async throws -> [CacheEntry] {
        try await begin("read")
        return state.withLock { $0.entries[url] ?? [] }
    }

    func replace(_ old: [CacheEntry], with new: [CacheEntry], for url: String) async throws -> Bool {
        try await begin("replace")
        return state.withLock { state in
            if !state.rivals.isEmpty { state.entries[url] = [state.rivals.removeFirst()] }
            guard state.entries[url] ?? [] == old, !state.alwaysLoses else { return false }
            state.entries[url] = new
            return true
        }
    }
}
