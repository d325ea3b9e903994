import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerCore
import TrackerTesting

/// Canaries while the wall clock is set.
@Suite("A canary and the wall clock", .endsWhenItHangs)
struct CanaryClockTests {
    /// A clock that can be set, over one that tests move.
    private final class SetClock: TimeSource {
        private let base: ManualTime
        private let shift = Locked(Duration.zero)

        init(_ base: ManualTime) {
            self.base = base
        }

        var now: Date { base.now + shift.withLock { $0 } / .seconds(1) }
        var uptime: Duration { base.uptime }

        func sleep(for duration: Duration) async throws { try await base.sleep(for: duration) }

        /// Sets the wall clock forward, or back by a negative duration.
        func set(by duration: Duration) { shift.withLock { $0 += duration } }
    }

    private let service = Service()
    private let clock: SetClock

    init() {
        clock = SetClock(service.time)
    }

    /// A service with a canary that bakes for 100 s, whose trackers sent without failures before.
    private func canary() async throws -> Setup {
        let text = { version, more in
            DocumentText.document(
                version, DocumentText.bundle("a", at: "v\(version).example", #""emitter":{"bufferOption":"Single"}"#),
                more: more)
        }
        service.serve(text(1, ""))
        let setup = try await service.started(configure: { [clock] in $0.time = clock })
        for _ in 0..<20 { await setup.tracker("a")?.deliver() }
        service.serve(text(2, #","rollout":{"percent":100,"bakeSeconds":100}"#))
        #expect(await setup.refresh().short == #"applied 2 ["a"]"#)
        return setup
    }

    /// Looks at the trackers after a time, as the timer does.
    private func look(_ setup: Setup, after duration: Duration) async -> RolloutStatus? {
        service.time.advance(by: duration)
        await setup.updater.observeCanary()
        return setup.status.rollout
    }

    private static let steps = [86_400 * 365, -3600].map { Duration.seconds($0) }

    @Test("is neither ended nor delayed by a step of the clock", arguments: steps)
    func ends(_ step: Duration) async throws {
        let setup = try await canary()
        clock.set(by: step)
        let early = try #require(await look(setup, after: .seconds(50)))
        #expect(early.state == .baking)
        #expect(early.bakeEnd == clock.now + 50)
        #expect(await look(setup, after: .seconds(50))?.state == .passed)
        clock.set(by: .seconds(-7200))
        #expect(setup.status.rollout?.state == .passed)
        await setup.shutdown(timeout: .zero)
    }

    @Test("goes back after a step of the clock as it would without one", arguments: steps)
    func reverts(_ step: Duration) async throws {
        let setup = try await canary()
        service.collector("v2.example", answers: 400)
        clock.set(by: step)
        #expect(await look(setup, after: .seconds(5))?.state == .baking)
        for _ in 0..<20 { await setup.tracker("a")?.deliver() }
        _ = await look(setup, after: .seconds(5))
        #expect(service.updates.last?.state == .reverted)
        await setup.shutdown(timeout: .zero)
    }

    @Test("one failed request does not become a long wait by a step of the clock", arguments: steps, [true, false])
    func waits(_ step: Duration, isTrackedBefore: Bool) async throws {
        let setup = try await canary()
        service.collector("v2.example", answers: 503)
        let tracker = try #require(setup.tracker("a"))
        if !isTrackedBefore { clock.set(by: step) }
        tracker.track(Structured(category: "cart", action: "add"))
        // The wait before the next try.
        await service.time.waitForSleep(in: .zero ... .milliseconds(400))
        if isTrackedBefore { clock.set(by: step) }
        #expect(await look(setup, after: .seconds(5))?.state == .baking)
        #expect(service.updates.last?.version == 2)
        _ = await look(setup, after: .seconds(46))
        #expect(service.updates.last?.state == .reverted)
        await setup.shutdown(timeout: .zero)
    }
}
