import Foundation
import TestSupport
import Testing
import TrackerFeatures

@testable import TrackerConfig

@Suite("The history of outcomes", .endsWhenItHangs)
struct OutcomeHistoryTests {
    private let time: Int64 = 1_700_000_000_000
    private let rejected = ConfigurationOutcome.rejected(
        ConfigurationError(.outOfRange, place: "a", reason: "too many"))

    @Test("folds repetitions")
    func folds() {
        var history = OutcomeHistory()
        for later in 0...2 { _ = history.add(rejected, at: time + Int64(later)) }
        #expect(history.changes.map(\.count) == [3])
        #expect(history.pending == history.changes.first)
    }

    @Test("two texts of one version in turn are news once, whatever their number; each series of failures is")
    func replicas() {
        var history = OutcomeHistory()
        func isNews(_ outcome: ConfigurationOutcome) -> Bool { history.add(outcome, at: time) }
        #expect(isNews(.applied(version: 3, namespaces: [])))
        let other = ConfigurationOutcome.unchanged(version: 3, isOtherContent: true)
        var news: [Bool] = []
        for _ in 0..<50 { news += [isNews(other), isNews(.unchanged(version: 3, isOtherContent: false))] }
        #expect(news.filter(\.self).count == 2)
        let failed = ConfigurationOutcome.failed(FetchError(.timeout, reason: "late"))
        #expect([failed, failed, .notModified, failed].map(isNews) == [true, false, true, true])
        #expect([ConfigurationOutcome.applied(version: 4, namespaces: []), other].map(isNews) == [true, true])
    }

    @Test("a reverted version that is fetched again is no change beside the reversion, but stays pending")
    func reverted() {
        var history = OutcomeHistory()
        let date = Date(milliseconds: time)
        let held = ConfigurationOutcome.held(HoldReason(.reverted, "it was reverted: slow"), version: 3)
        func reversion(of version: Int) -> ConfigurationChange {
            ConfigurationChange(
                kind: .reverted, version: version, text: "version \(version) was reverted", time: date,
                needsAttention: true)
        }
        history.add(reversion(of: 3))
        for later in 1...3 {
            _ = history.add(held, at: time + Int64(later))
        }
        #expect(history.changes.map(\.kind) == [.reverted])
        #expect((history.pending?.kind, history.pending?.count) == (.held, 3))
        #expect(history.pending?.firstTime == Date(milliseconds: time + 1))
        // After another version it is one.
        _ = history.add(
            ConfigurationOutcome.applied(version: 4, namespaces: []),
            at: time + 9)
        _ = history.add(held, at: time + 10)
        #expect(history.changes.map(\.kind) == [.held, .applied, .reverted])
    }
}
