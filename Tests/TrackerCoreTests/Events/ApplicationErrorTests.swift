import Testing
import TrackerCore

struct ApplicationErrorTests {
    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    @Test(
        "Values given by hand are bounded as the schema has it",
        arguments: [
            Bound.text("message", atMost: 2048) { try ApplicationError(message: $0) },
            Bound.text("exceptionName", atMost: 1024) { try ApplicationError(message: "m", exceptionName: $0) },
            Bound.text("className", atMost: 1024) { try ApplicationError(message: "m", className: $0) },
            Bound.text("stackTrace", atMost: 8192) { try ApplicationError(message: "m", stackTrace: $0) },
            Bound.text("causeStackTrace", atMost: 8192) { try ApplicationError(message: "m", causeStackTrace: $0) },
            Bound.text("fileName", atMost: 1024) { try ApplicationError(message: "m", fileName: $0) },
            Bound.text("threadName", atMost: 1024) { try ApplicationError(message: "m", threadName: $0) },
            Bound.integer("lineNumber", 0...2_147_483_647) { try ApplicationError(message: "m", lineNumber: $0) },
            Bound.integer("lineColumn", 0...2_147_483_647) { try ApplicationError(message: "m", lineColumn: $0) },
            Bound.integer("threadId", 0...2_147_483_647) { try ApplicationError(message: "m", threadID: $0) },
        ])
    func valuesAreBounded(_ bound: Bound) {
        bound.check("ApplicationError")
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
