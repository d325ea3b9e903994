import TestSupport
import Testing
import TrackerConfig
import TrackerCore

/// The order of updates and changes of features while other threads change something too.
@Suite("Changes while an update is on its way", .endsWhenItHangs)
struct HeldChangeTests {
    /// A cache that takes as long as a test wants.
    private final class SlowCache: ConfigurationCache {
        private let memory = MemoryCache()
        let onStore = Locked<(@Sendable () -> Void)?>(nil)

        func entries(for url: String) -> [CacheEntry] { memory.entries(for: url) }

        func update(_ url: String, _ change: ([CacheEntry]) -> [CacheEntry]) {
            onStore.withLock { $0 }?()
            memory.update(url, change)
        }

        func remove(_ entry: CacheEntry, for url: String) { memory.remove(entry, for: url) }
    }

    private let shop = FeatureService()
    private let cache = SlowCache()
    private let trace = Locked<[String]>([])

    private static func feature(_ value: Int) -> String { #"{"a":{"variables":{"x":{"value":\#(value)}}}}"# }

    private func start(onSuccess: @escaping @Sendable (ConfigurationUpdate) -> Void = { _ in }) async throws -> Setup {
        shop.publish(1, Self.feature(1))
        let setup = try shop.service.start(
            configure: { $0.cache = cache },
            onSuccess: { [trace] update in
                trace.withLock { $0.append("update \(update.version ?? -1)") }
                onSuccess(update)
            })
        await shop.service.settled()
        return setup
    }

    private func observe(_ setup: Setup, _ feature: String) {
        setup.features.onChange(of: feature) { [trace] change in
            let value = change.new?.variables["x"]?.int ?? 0
            trace.withLock { $0.append("\(feature) \(value)") }
        }
    }

    @Test("an override between apply and update calls no listener early; all follow it, in order")
    func heldByCache() async throws {
        let setup = try await start()
        observe(setup, "a")
        observe(setup, "b")
        cache.onStore.withLock {
            $0 = {
                // The document is applied and its update not delivered.
                for value in 1...2 { try? setup.features.overrides.set(value, for: "b", variable: "x") }
            }
        }
        for version in 2...3 { await shop.apply(version, Self.feature(version), to: setup) }
        cache.onStore.withLock { $0 = nil }
        #expect(
            trace.withLock { $0 } == [
                "update 1", "a 1", "update 2", "a 2", "b 1", "b 2", "update 3", "a 3", "b 1", "b 2",
            ])
        await setup.shutdown(timeout: .zero)
    }

    @Test("an update's callback that sets overrides and adds listeners hangs nowhere; all of it is told")
    func reentrant() async throws {
        let trace = self.trace
        let setup = try await start { update in
            guard update.version == 2 else { return }
            try? update.features.overrides.set(7, for: "b", variable: "x")
            update.features.onChange(of: "c") { _ in trace.withLock { $0.append("never") } }
            update.features.onChange(of: "a") { change in
                trace.withLock { $0.append("late \(change.old == nil) \(change.new?.variables["x"]?.int ?? 0)") }
            }
            trace.withLock { $0.append("end of update") }
        }
        observe(setup, "a")
        observe(setup, "b")
        for version in 2...3 { await shop.apply(version, Self.feature(version), to: setup) }
        #expect(
            trace.withLock { $0 } == [
                "update 1", "a 1", "update 2", "late true 2", "end of update", "a 2", "b 7", "update 3", "a 3",
                "late false 3",
            ])
        await setup.shutdown(timeout: .zero)
    }

    @Test("after a shutdown changes are told again")
    func released() async throws {
        let setup = try await start()
        observe(setup, "b")
        await setup.shutdown(timeout: .zero)
        try setup.features.overrides.set(1, for: "b", variable: "x")
        #expect(trace.withLock { $0.last } == "b 1")
    }
}
