import Glibc
import TestSupport
import Testing
import TrackerCore
import TrackerTesting

@Suite("HTTPDate", .endsWhenItHangs)
struct HTTPDateTests {
    @Test(
        "a date is written and read as HTTP has it",
        arguments: [
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (-2, "Wed, 31 Dec 1969 23:59:58 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
            (-2_203_891_200, "Thu, 01 Mar 1900 00:00:00 GMT"), (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
            (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
        ])
    func roundTrip(seconds: Int, text: String) {
        #expect(HTTPDate(seconds).description == text)
        #expect(HTTPDate(text)?.seconds == seconds)
    }

    @Test("any second from 1600 to 9999 is the one that the C library finds")
    func everyDay() throws {
        let random = SeededRandom(seed: Search.seed(7))
        for _ in 0..<Search.count(500) {
            var seconds = time_t(-11_676_096_000 + random.fraction() * 265_000_000_000)
            var parts = tm()
            gmtime_r(&seconds, &parts)
            var buffer = [CChar](repeating: 0, count: 64)
            let count = strftime(&buffer, buffer.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
            let text = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let date = try #require(HTTPDate(HTTPDate(seconds).description))
            #expect(date.seconds == seconds)
            #expect(date.description == text)
        }
    }

    @Test(
        "the obsolete forms of HTTP are read too",
        arguments: ["Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "Sun, 6 Nov 1994 08:49:37 GMT"])
    func obsolete(text: String) {
        #expect(HTTPDate(text)?.seconds == 784_111_777)
    }

    @Test(
        "what is no date is not read",
        arguments: [
            "", "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", "soon", "5 minutes", "1.5", "-5",
            "tomorrow", "12:00", "Nov 2024", "99999999999 Nov 2024",
        ])
    func refuses(text: String) {
        #expect(HTTPDate(text) == nil)
    }
}
