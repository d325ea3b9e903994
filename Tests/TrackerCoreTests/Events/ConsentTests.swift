import Foundation
import TestSupport
import Testing
import TrackerCore
import TrackerEcommerce

@Suite("consent events", .endsWhenItHangs)
struct ConsentTests {
    @Test(
        "An expiry is written as RFC 3339 has it",
        arguments: [
            (-62_167_219_200.0, "0000-01-01T00:00:00.000Z"), (0, "1970-01-01T00:00:00.000Z"),
            (-0.001, "1969-12-31T23:59:59.999Z"), (1_709_210_096.7891, "2024-02-29T12:34:56.789Z"),
            (253_402_300_799.999, "9999-12-31T23:59:59.999Z"),
        ])
    func expiryIsRFC3339(seconds: Double, text: String) {
        let event = ConsentGranted(expiry: Date(timeIntervalSince1970: seconds))
        #expect(event.data == ["expiry": .string(text)])
    }

    @Test(
        "An expiry outside four digits of years is left out",
        arguments: [-62_167_219_200.001, 253_402_300_800, .infinity, -.infinity, .nan, 1e300])
    func expiryIsBounded(seconds: Double) {
        #expect(ConsentGranted(expiry: Date(timeIntervalSince1970: seconds)).data == [:])
    }

    @Test("Documents are entities of the event")
    func documentsAreEntities() {
        let document = ConsentDocument(id: "terms", version: "3")
        #expect(ConsentGranted(documents: [document, document]).entities == [document.entity, document.entity])
        #expect(ConsentWithdrawn(all: false, documents: [document]).entities == [document.entity])
        #expect(ConsentGranted().data == [:])
        #expect(ConsentWithdrawn(all: true).data == ["all": true])
    }
}
