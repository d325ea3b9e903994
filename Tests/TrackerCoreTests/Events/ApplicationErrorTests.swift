import TestSupport
import Testing
import TrackerCore

@Suite("ApplicationError", .endsWhenItHangs)
struct ApplicationErrorTests {
    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    @Test("A Swift error gives its description and its type, without addresses")
    func swiftErrorIsRead() {
        let event = ApplicationError(Failure(description: "no paper"), stack: "main", isFatal: true)
        #expect(
            event.data == [
                "message": "no paper", "programmingLanguage": "SWIFT", "exceptionName": "Failure",
                "className": "TrackerCoreTests.ApplicationErrorTests.Failure", "isFatal": true, "stackTrace": "main",
            ])
    }

    @Test("A private type's name is the same in every run")
    func privateNameIsStable() {
        struct Local: Error {}
        #expect(ApplicationError(Local()).className?.contains("unknown context") == false)
        #expect(ApplicationError(Local()).className?.hasSuffix("Local") == true)
        #expect(ApplicationError(Hidden.failed).className == "TrackerCoreTests.Hidden")
        #expect(ApplicationError(Hidden.failed).message == "failed")
    }

    @Test("What is too long in a Swift error is cut by code points and not refused")
    func longErrorsAreCut() {
        // One character each, of two code points.
        let accents = String(repeating: "e\u{301}", count: 8192)
        let event = ApplicationError(Failure(description: accents), stack: accents)
        #expect(event.message.unicodeScalars.count == 2048)
        #expect(event.stackTrace?.unicodeScalars.count == 8192)
        let fitting = String(repeating: "é", count: 2048)
        #expect(ApplicationError(Failure(description: fitting)).message == fitting)
    }
}

private enum Hidden: Error {
    case failed
}
