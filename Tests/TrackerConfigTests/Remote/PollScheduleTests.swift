import TestSupport
import Testing
import TrackerFeatures

/// When a setup fetches next.
@Suite("The schedule of polls", .endsWhenItHangs)
struct PollScheduleTests {
    @Test(
        "the interval is kept within 0.1 s and 365 days, and no wait overflows",
        arguments: [
            (Duration.seconds(Int64.min), Duration.milliseconds(100)), (.milliseconds(99), .milliseconds(100)),
            (.seconds(60), .seconds(60)), (.seconds(Int64.max), .seconds(31_536_000)),
        ])
    func bounds(asked: Duration, kept: Duration) {
        var schedule = PollSchedule(interval: asked)
        #expect(schedule.interval == kept)
        for _ in 0..<20 {
            #expect(schedule.wait(hasFailed: true, fraction: 0.5) >= .zero)
            #expect(
                schedule.wait(hasFailed: true, retryAfter: .seconds(Int64.max), fraction: 1) <= .seconds(64_000_000))
        }
    }

    @Test("after a success it waits for the interval, a tenth more or less, spread evenly")
    func jitter() {
        var schedule = PollSchedule(interval: .seconds(100))
        let waits = [0, 0.25, 0.5, 1].map { schedule.wait(hasFailed: false, fraction: $0) / .seconds(1) }
        #expect(waits.map { ($0 * 1000).rounded() } == [90_000, 95_000, 100_000, 110_000])
    }

    @Test("after failures it waits for a random part of a bound that doubles, up to 16 intervals")
    func backoff() {
        for fraction in [0.25, 0.999] {
            var schedule = PollSchedule(interval: .seconds(10))
            let bounds = (0..<7).map { _ in schedule.wait(hasFailed: true, fraction: fraction) }
            #expect(bounds == [20, 40, 80, 160, 160, 160, 160].map { .seconds($0) * fraction })
        }
        // A fetch does not follow a failure at once, whatever the draw.
        var schedule = PollSchedule(interval: .seconds(10))
        #expect(schedule.wait(hasFailed: true, fraction: 0) == .milliseconds(100))
    }

    @Test(
        "the bound is 10 min at most, and never below twice the interval",
        arguments: [
            (Duration.seconds(60), Duration.seconds(600)), (.seconds(700), .seconds(1400)),
        ])
    func cap(interval: Duration, most: Duration) {
        var schedule = PollSchedule(interval: interval)
        for _ in 0..<5 { _ = schedule.wait(hasFailed: true, fraction: 0) }
        #expect(schedule.wait(hasFailed: true, fraction: 1) == most)
        // On average a fleet that fails is no heavier for its server than one that does not.
        #expect(schedule.wait(hasFailed: true, fraction: 0.5) >= interval)
    }

    @Test(
        "what the server asks for is waited for first, 10 min or the interval at most, and a part of the interval or the bound on top"
    )
    func retryAfter() {
        for (fraction, seconds) in [(0.0, 120), (0.5, 125), (1.0, 130)] {
            var first = PollSchedule(interval: .seconds(10))
            #expect(first.wait(hasFailed: true, retryAfter: .seconds(120), fraction: fraction) == .seconds(seconds))
        }
        var schedule = PollSchedule(interval: .seconds(10))
        for _ in 0..<5 { _ = schedule.wait(hasFailed: true, fraction: 0) }
        #expect(schedule.wait(hasFailed: true, retryAfter: .seconds(99_999_999), fraction: 0) == .seconds(600))
        var slow = PollSchedule(interval: .seconds(3600))
        #expect(slow.wait(hasFailed: true, retryAfter: .seconds(99_999_999), fraction: 0) == .seconds(3600))
        #expect(schedule.wait(hasFailed: true, retryAfter: .zero, fraction: 0.5) == .seconds(80))
    }
}
