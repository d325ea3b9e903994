import Foundation
import TestSupport
import Testing
import TrackerCore

@testable import TrackerConfig

@Suite("The history of fetches", .endsWhenItHangs)
struct FetchHistoryTests {
    private let time: Int64 = 1_700_000_000_000
    private let rejected = ConfigurationOutcome.rejected(
        ConfigurationError(.outOfRange, place: "a", reason: "too many"))

    @Test("folds repetitions")
    func folds() {
        var history = FetchHistory()
        for later in 0...2 { history.add(rejected, at: ClockReading(time: time + Int64(later), uptime: .zero)) }
        #expect(history.changes.map(\.count) == [3])
        #expect(history.pending == history.changes.first)
    }

    @Test("a reverted version that is fetched again is no change beside the reversion, but stays pending")
    func reverted() {
        var history = FetchHistory()
        let date = Date(milliseconds: time)
        let held = ConfigurationOutcome.held(HoldReason(.reverted, "it was reverted: slow"), version: 3)
        func reversion(of version: Int) -> ConfigurationChange {
            ConfigurationChange(
                kind: .reverted, version: version, text: "version \(version) was reverted", time: date,
                needsAttention: true)
        }
        history.add(reversion(of: 3))
        for later in 1...3 {
            history.add(held, at: ClockReading(time: time + Int64(later), uptime: .zero))
        }
        #expect(history.changes.map(\.kind) == [.reverted])
        #expect((history.pending?.kind, history.pending?.count) == (.held, 3))
        #expect(history.pending?.firstTime == Date(milliseconds: time + 1))
        #expect(history.lastHeld == history.pending)
        // After another version it is one.
        history.add(
            ConfigurationOutcome.applied(version: 4, namespaces: []),
            at: ClockReading(time: time + 9, uptime: .zero))
        history.add(held, at: ClockReading(time: time + 10, uptime: .zero))
        #expect(history.changes.map(\.kind) == [.held, .applied, .reverted])
    }
}
