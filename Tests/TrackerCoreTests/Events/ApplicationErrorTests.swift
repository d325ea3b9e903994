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
        #expect(ApplicationError(Local()).data?["className"]?.string?.contains("unknown context") == false)
        #expect(ApplicationError(Local()).data?["className"]?.string?.hasSuffix("Local") == true)
        #expect(ApplicationError(Hidden.failed).data?["className"] == "TrackerCoreTests.Hidden")
        #expect(ApplicationError(Hidden.failed).data?["message"] == "failed")
    }

    @Test("What is too long in a Swift error is cut by code points and not refused")
    func longErrorsAreCut() {
        // One character each, of two code points.
        let accents = String(repeating: "e\u{301}", count: 8192)
        let event = ApplicationError(Failure(description: accents), stack: accents)
        #expect(event.data?["message"]?.string?.unicodeScalars.count == 2048)
        #expect(event.data?["stackTrace"]?.string?.unicodeScalars.count == 8192)
        let fitting = String(repeating: "é", count: 2048)
        #expect(ApplicationError(Failure(description: fitting)).data?["message"] == .string(fitting))
    }
}

private enum Hidden: Error {
    case failed
}
