import TestSupport
import Testing
import TrackerCore

@Suite("Backoff", .endsWhenItHangs)
struct BackoffTests {
    private let almostOne = 1 - Double.ulpOfOne

    @Test("the bound doubles from 0.1 s up to the longest wait and stays there", arguments: [1, 60, 86_400])
    func doubles(most: Int) {
        var backoff = Backoff()
        for failure in 0..<40 {
            let bound = min(0.1 * Double(1 << min(failure, 30)), Double(most))
            let wait = backoff.next(fraction: almostOne, retryAfter: nil, most: .seconds(most)) / .seconds(1)
            #expect(abs(wait - bound) < bound * 1e-9, "failure \(failure)")
        }
    }

    @Test("the jitter takes any part of the bound, nothing included")
    func jitters() {
        for failures in [0, 3, 20] {
            var backoff = Backoff()
            for _ in 0..<failures { _ = backoff.next(fraction: 0.5, retryAfter: nil, most: .seconds(60)) }
            let copy = backoff
            var other = copy
            #expect(backoff.next(fraction: 0, retryAfter: nil, most: .seconds(60)) == .zero)
            let half = other.next(fraction: 0.5, retryAfter: nil, most: .seconds(60))
            let bound: Duration = .milliseconds(100 * (1 << min(failures, 13)))
            #expect(half == min(bound, .seconds(60)) / 2)
        }
    }

    @Test("Retry-After is the least wait, up to 10 min, also above the longest wait")
    func honoursRetryAfter() {
        var backoff = Backoff()
        #expect(backoff.next(fraction: 0, retryAfter: .seconds(7), most: .seconds(60)) == .seconds(7))
        #expect(backoff.next(fraction: 0, retryAfter: .seconds(100_000), most: .seconds(60)) == .seconds(600))
        for _ in 0..<10 { _ = backoff.next(fraction: 0, retryAfter: nil, most: .seconds(60)) }
        #expect(backoff.next(fraction: 0.5, retryAfter: .seconds(1), most: .seconds(60)) == .seconds(30))
    }

    @Test(
        "Retry-After is read as seconds or as a date",
        arguments: [
            (nil, nil), ("0", 0), ("120", 120_000), ("-1", nil), ("", nil), ("soon", nil), ("1.5", nil),
            ("99999999999", 315_360_000_000), ("99999999999999999999999", 315_360_000_000),
            ("Tue, 14 Nov 2023 22:13:30 GMT", 10_000),
            ("Tue, 14 Nov 2023 22:13:20 GMT", 0), ("Tue, 14 Nov 2023 22:00:00 GMT", 0),
            ("Thu, 29 Feb 2024 00:00:00 GMT", 9_164_800_000), ("Tue Nov 14 22:13:30 2023", 10_000),
            ("Tue, 14 Foo 2023 22:13:30 GMT", nil), ("Tue, 14 Nov 2023 25:13:30 GMT", nil),
        ] as [(String?, Int?)])
    func readsRetryAfter(header: String?, milliseconds: Int?) {
        // 1,700,000,000 s after 1970 is Tue, 14 Nov 2023 22:13:20 GMT.
        #expect(Duration(retryAfter: header, now: 1_700_000_000_000) == milliseconds.map { .milliseconds($0) })
    }

    @Test(
        "a date is read with the leap days of its century",
        arguments: [
            (-2_203_891_200, "Thu, 01 Mar 1900 00:00:00 GMT"), (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
            (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
        ])
    func readsDates(seconds: Int, text: String) {
        #expect(HTTPDate(text)?.seconds == seconds)
    }
}
