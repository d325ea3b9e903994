import Foundation
import TestSupport
import Testing
import TrackerCore
import TrackerTesting

@testable import TrackerFeatures

/// The end of overrides, without a setup.
@Suite("The expiry of overrides", .endsWhenItHangs)
struct OverrideExpiryTests {
    /// A clock that runs an action at one of its reads.
    private final class HookedTime: TimeSource {
        let time = ManualTime()
        private let hook = Locked<(reads: Int, action: @Sendable () -> Void)?>(nil)

        var now: Date {
            let action = hook.withLock { hook -> (@Sendable () -> Void)? in
                guard let (reads, action) = hook else { return nil }
                hook = reads > 1 ? (reads - 1, action) : nil
                return reads > 1 ? nil : action
            }
            action?()
            return time.now
        }

        var uptime: Duration { time.uptime }

        func sleep(for duration: Duration) async throws { try await time.sleep(for: duration) }

        /// Runs an action at the read of this number from now on.
        func run(atRead number: Int, _ action: @escaping @Sendable () -> Void) {
            hook.withLock { $0 = (number, action) }
        }
    }

    @Test("an override that another thread sets again meanwhile has not expired")
    func setAgain() throws {
        let (directory, time, log) = (TemporaryDirectory(), HookedTime(), MemoryLog())
        let store = FeatureStore(FeatureOptions(), defaultFeatures: [], defaultExperiments: [])
        let overrides = FeatureOverrides(
            file: OverridesFile(path: directory.file("overrides.json")), store: store, time: time,
            log: Log(log, level: .debug))
        // The test removes what has expired, in the place of the timer.
        overrides.stop()
        let expiry = time.now + 47
        try overrides.set(9, for: "f", variable: "x", expiry: expiry)
        try overrides.set(9, for: "f", variable: "y", expiry: expiry)
        time.time.advance(by: .seconds(47))
        // The first read finds what has expired; the second precedes its removal.
        time.run(atRead: 2) {
            #expect(throws: Never.self) { try overrides.set(8, for: "f", variable: "x") }
        }
        overrides.removeExpired()
        #expect(overrides.entries.map(\.variable) == ["x"])
        let ends = log.records.map(\.message).filter { $0.hasSuffix("expired") }
        #expect(ends == ["overrides: the override of f.y expired"])
    }
}
