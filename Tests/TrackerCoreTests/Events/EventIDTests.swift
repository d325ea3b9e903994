import Foundation
import TestSupport
import Testing
import TrackerCore

@Suite("The id of an event", .endsWhenItHangs)
struct EventIDTests {
    @Test(
        "is the UUID it was made of",
        arguments: ["00000000-0000-0000-0000-000000000001", "0123ABCD-89EF-1234-8567-89ABCDEF0123"])
    func uuid(text: String) throws {
        let uuid = try #require(UUID(uuidString: text))
        #expect(EventID(uuid).uuid == uuid)
        #expect(EventID(uuid).description == text.lowercased())
    }

    @Test("made of random bits is a UUID of version 4")
    func version() {
        #expect(EventID(high: .max, low: .max).uuid.uuidString == "FFFFFFFF-FFFF-4FFF-BFFF-FFFFFFFFFFFF")
        #expect(EventID(high: 0, low: 0).uuid.uuidString == "00000000-0000-4000-8000-000000000000")
    }
}
