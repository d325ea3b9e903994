import TestSupport
import TrackerConfig
import TrackerCore

/// A cache of a fleet on a network, which answers when the test lets it.
final class FleetCache: ConfigurationCache {
    /// Its calls: `read` and `replace`.
    let gate = CallGate("the cache")

    private struct State: Sendable {
        var entries: [String: [CacheEntry]] = [:]
        var rivals: [CacheEntry] = []
        var alwaysLoses = false
    }

    private let state = Locked(State())

    func versions(_ url: String = Service.url) -> [Int] { state.withLock { $0.entries[url] ?? [] }.map(\.version) }

    func set(_ entries: CacheEntry..., for url: String = Service.url) {
        state.withLock { $0.entries[url] = entries }
    }

    /// Lets another process be faster than each of the next replacements.
    func lose(to rivals: CacheEntry...) {
        state.withLock { $0.rivals = rivals }
    }

    func loseAlways() {
        state.withLock { $0.alwaysLoses = true }
    }

    func entries(for url: String) async throws -> [CacheEntry] {
        try await gate.pass("read")
        return state.withLock { $0.entries[url] ?? [] }
    }

    func replace(_ old: [CacheEntry], with new: [CacheEntry], for url: String) async throws -> Bool {
        try await gate.pass("replace")
        return state.withLock { state in
            if !state.rivals.isEmpty { state.entries[url] = [state.rivals.removeFirst()] }
            guard state.entries[url] ?? [] == old, !state.alwaysLoses else { return false }
            state.entries[url] = new
            return true
        }
    }
}
