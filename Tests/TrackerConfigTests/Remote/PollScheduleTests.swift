import Testing
import TrackerConfig
import TrackerCore
import TrackerTesting

/// When a setup fetches next.
@Suite("The schedule of polls")
struct PollScheduleTests {
    private let random: SeededRandom

    init() {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        random = SeededRandom(seed: seed)
    }

    @Test(
        "the interval is kept within 0.1 s and 365 days",
        arguments: [
            (Duration.zero, Duration.milliseconds(100)), (.seconds(-5), .milliseconds(100)),
            (.milliseconds(99), .milliseconds(100)), (.milliseconds(100), .milliseconds(100)),
            (.seconds(60), .seconds(60)),
            (.seconds(Int64.max), .seconds(31_536_000)), (.seconds(Int64.min), .milliseconds(100)),
        ])
    func bounds(asked: Duration, kept: Duration) {
        var schedule = PollSchedule(interval: asked)
        #expect(schedule.interval == kept)
        // None of these may overflow.
        for _ in 0..<100 {
            #expect(schedule.wait(hasFailed: true, fraction: random.fraction()) >= .zero)
            #expect(
                schedule.wait(hasFailed: true, retryAfter: .seconds(Int64.max), fraction: 1) <= .seconds(64_000_000))
        }
    }

    @Test("after a success it waits for the interval, a tenth more or less, spread evenly")
    func jitter() {
        var schedule = PollSchedule(interval: .seconds(100))
        let waits = (0..<2000).map { _ in schedule.wait(hasFailed: false, fraction: random.fraction()) }
        #expect(waits.allSatisfy { .seconds(90) <= $0 && $0 < .seconds(110) })
        // Each tenth of the span has 200 of 2,000; a binomial draw is within ±80 but once in 10^9.
        for tenth in 0..<10 {
            let span = Duration.seconds(90 + 2 * tenth)..<Duration.seconds(92 + 2 * tenth)
            #expect(120...280 ~= waits.filter(span.contains).count, "\(span)")
        }
    }

    @Test("after failures it waits for a random part of a bound that doubles, up to 16 intervals")
    func backoff() {
        for fraction in [0.25, 0.999] {
            var schedule = PollSchedule(interval: .seconds(10))
            let bounds = (0..<7).map { _ in schedule.wait(hasFailed: true, fraction: fraction) }
            #expect(bounds == [20, 40, 80, 160, 160, 160, 160].map { .seconds($0) * fraction })
        }
    }

    @Test("a fetch does not follow a failure at once, whatever the draw")
    func shortest() {
        var schedule = PollSchedule(interval: .seconds(10))
        #expect(schedule.wait(hasFailed: true, fraction: 0) == .milliseconds(100))
    }

    @Test(
        "the bound is 10 min at most, and never below twice the interval",
        arguments: [
            (Duration.seconds(60), Duration.seconds(600)), (.seconds(700), .seconds(1400)),
            (.seconds(86_400), .seconds(172_800)),
        ])
    func cap(interval: Duration, most: Duration) {
        var schedule = PollSchedule(interval: interval)
        for _ in 0..<5 { _ = schedule.wait(hasFailed: true, fraction: 0) }
        #expect(schedule.wait(hasFailed: true, fraction: 1) == most)
    }

    @Test("a fleet that fails is on average no heavier for its server than one that does not")
    func average() {
        for interval in [10, 400, 3600] {
            var schedule = PollSchedule(interval: .seconds(interval))
            for _ in 0..<10 { #expect(schedule.wait(hasFailed: true, fraction: 0.5) >= .seconds(interval)) }
        }
    }

    @Test("a success ends the row of failures")
    func reset() {
        var schedule = PollSchedule(interval: .seconds(10))
        for _ in 0..<5 { _ = schedule.wait(hasFailed: true, fraction: 0.5) }
        #expect(schedule.failures > 1)
        #expect(schedule.wait(hasFailed: false, fraction: 0.5) == .seconds(10))
        #expect(schedule.failures == 0)
        #expect(schedule.wait(hasFailed: true, fraction: 0.999_999) < .seconds(20))
    }

    @Test("what the server asks for is waited for first, a day at most, and a part of the interval or the bound on top")
    func retryAfter() {
        for _ in 0..<200 {
            var first = PollSchedule(interval: .seconds(10))
            let wait = first.wait(hasFailed: true, retryAfter: .seconds(120), fraction: random.fraction())
            #expect(.seconds(120) <= wait && wait < .seconds(130))
        }
        var schedule = PollSchedule(interval: .seconds(10))
        for _ in 0..<5 { _ = schedule.wait(hasFailed: true, fraction: 0) }
        #expect(schedule.wait(hasFailed: true, retryAfter: .seconds(99_999_999), fraction: 0) == .seconds(86_400))
        #expect(schedule.wait(hasFailed: true, retryAfter: .zero, fraction: 0.5) == .seconds(80))
    }
}
