import TrackerConfig
import TrackerCore

/// A store of a fleet, which answers when the test lets it.
final class SharedAssignments: AssignmentStore {
    struct Outage: Error {}

    private struct State: Sendable {
        var kept: [ExperimentUnit: [String: String]] = [:]
        var calls: [String] = []
        var isDown = false
        var isHolding = false
        var held: [CheckedContinuation<Void, Never>] = []
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Locked(State())

    /// What was called: `load u-1`, `keep 2`, `forget`.
    var calls: [String] { state.withLock { $0.calls } }

    func set(_ variant: String, of experiment: String = "x", for user: String = "u-1") {
        let unit = ExperimentUnit(name: "userId", id: user)
        state.withLock { $0.kept[unit, default: [:]][experiment] = variant }
    }

    func variant(of experiment: String = "x", for user: String = "u-1") -> String? {
        state.withLock { $0.kept[ExperimentUnit(name: "userId", id: user)]?[experiment] }
    }

    /// Lets every call fail, or none.
    func fail(_ isDown: Bool) {
        state.withLock { $0.isDown = isDown }
    }

    /// Lets calls wait until they are released.
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

    /// Returns as soon as a call is held.
    func waitForCall() async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.held.isEmpty { state.waiters.append(continuation) }
                return !state.held.isEmpty
            }
            if isThere { continuation.resume() }
        }
    }

    private func begin(_ call: String) async throws {
        state.withLock { $0.calls.append(call) }
        await withCheckedContinuation { continuation in
            let (isHeld, waiters) = state.withLock { state in
                guard state.isHolding else { return (false, [CheckedContinuation<Void, Never>]()) }
                state.held.append(continuation)
                defer { state.waiters = [] }
                return (true, state.waiters)
            }
            for waiter in waiters { waiter.resume() }
            if !isHeld { continuation.resume() }
        }
        if state.withLock({ $0.isDown }) { throw Outage() }
    }

    func assignments(of unit: ExperimentUnit) async throws -> [String: String] {
        let found = state.withLock { $0.kept[unit] ?? [:] }
        try await begin("load \(unit.id)")
        return found
    }

    func save(_ assignments: [StickyAssignment]) async throws {
        try await begin("keep \(assignments.count)")
        state.withLock { state in
            for one in assignments {
                let stored = state.kept[one.unit]?[one.experiment]
                if stored == nil || stored == one.replaced {
                    state.kept[one.unit, default: [:]][one.experiment] = one.variant
                }
            }
        }
    }

    func forget(except experiments: Set<String>) async throws {
        try await begin("forget")
        state.withLock { state in
            for unit in state.kept.keys { state.kept[unit] = state.kept[unit]?.filter { experiments.contains($0.key) } }
        }
    }
}
