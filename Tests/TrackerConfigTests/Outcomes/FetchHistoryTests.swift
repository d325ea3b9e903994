import Testing
import TrackerCore

@testable import TrackerConfig

@Suite("The history of fetches")
struct FetchHistoryTests {
    private let time: Int64 = 1_700_000_000_000
    private let rejected = ConfigurationOutcome.rejected(
        ConfigurationError(.outOfRange, place: "a", reason: "too many"))

    @Test("folds repetitions, but not a former user's late answer with the current user's trouble")
    func folds() {
        var history = FetchHistory()
        history.add(rejected, isCurrent: true, at: ClockReading(time: time, uptime: .zero))
        history.add(rejected, isCurrent: false, at: ClockReading(time: time + 1, uptime: .zero))
        history.add(rejected, isCurrent: true, at: ClockReading(time: time + 2, uptime: .zero))
        #expect(history.changes.map(\.needsAttention) == [true, false])
        #expect(history.changes.map(\.count) == [2, 1])
        #expect(history.pending?.needsAttention == true)
        history.add(rejected, isCurrent: false, at: ClockReading(time: time + 3, uptime: .zero))
        #expect(history.changes.map(\.count) == [2, 2])
        #expect(history.changes.contains { $0.needsAttention })
    }
}
