import TestSupport
import Testing
import TrackerCore

@Suite("The id cookie of the JavaScript tracker", .endsWhenItHangs)
struct IDCookieTests {
    private let id = "9c65e7f3-8e8e-470d-b243-910b5b300da0"
    private let session = "6b7a0d1f-8e2e-4f0c-9f0b-0a4b3a3c2d1e"

    @Test("gives the user, the session and its number, of versions 2 to 4")
    func reads() {
        let expected = EventSubject(domainUserID: id, domainSessionID: session, domainSessionIndex: 3)
        #expect(EventSubject(idCookie: "\(id).1700000000.3.1700000500.1700000400.\(session)") == expected)
        #expect(
            EventSubject(idCookie: "\(id).1700000000.3.1700000500..\(session).\(id).\(id).1700000000123.7") == expected)
        #expect(
            EventSubject(idCookie: "ab12cd34ef56ab78.1400000000.1.1400000000.1400000000")
                == EventSubject(domainUserID: "ab12cd34ef56ab78", domainSessionIndex: 1))
        #expect(
            EventSubject(idCookie: ".1700000000.1.1700000500..\(session)")
                == EventSubject(domainSessionID: session, domainSessionIndex: 1))
    }

    @Test(
        "is ignored if it is none",
        arguments: [
            "", "a", "a.b.c.d.e.f", "a.1.2.3", "a.1.x.3.4.s", "a.1.2.3.4.s\"", "a b.1.2.3.4.s", "a.1.-2.3.4.s",
            "a.1.99999999999.3.4.s", "ä.1.2.3.4.s", "a.1.2.3.4.s;", "a.1.2..4.s", ".....", "a.1.٣.3.4.s",
            String(repeating: "a", count: 129) + ".1.2.3.4.s", "a.1.2.3.4." + String(repeating: "s", count: 5000),
        ])
    func ignores(cookie: String) {
        #expect(EventSubject(idCookie: cookie) == nil)
    }

    @Test("is found in a request's header")
    func header() {
        let cookie = "\(id).1700000000.3.1700000500.1700000400.\(session)"
        let expected = EventSubject(domainUserID: id, domainSessionID: session, domainSessionIndex: 3)
        #expect(EventSubject(cookieHeader: "a=b; _sp_id.1fff=\(cookie); _sp_ses.1fff=*") == expected)
        #expect(EventSubject(cookieHeader: "_sp_id.old=broken;_sp_id=\(cookie)") == expected)
        #expect(EventSubject(cookieHeader: "x_sp_id.1fff=\(cookie); sp=1") == nil)
        #expect(EventSubject(cookieHeader: "") == nil)
    }
}
