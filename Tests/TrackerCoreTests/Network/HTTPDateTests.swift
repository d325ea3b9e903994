import TestSupport
import Testing
import TrackerCore
import TrackerTesting

@Suite("HTTPDate", .endsWhenItHangs)
struct HTTPDateTests {
    @Test(
        "a date is read as HTTP writes it",
        arguments: [
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (-2, "Wed, 31 Dec 1969 23:59:58 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
            (-2_203_891_200, "Thu, 01 Mar 1900 00:00:00 GMT"), (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
            (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
        ])
    func reads(seconds: Int, text: String) {
        #expect(HTTPDate(text)?.seconds == seconds)
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
