import TestSupport
import Testing
import TrackerConfig
import TrackerCore

@Suite("The cause of an error", .endsWhenItHangs)
struct ErrorCauseTests {
    private struct Outage: Error {}

    @Test("does not count when errors are compared")
    func comparison() {
        let plain = FetchError(.transport, reason: "nothing came")
        let caused = FetchError(.transport, reason: "nothing came", cause: Outage())
        #expect(plain == caused && plain.hashValue == caused.hashValue)
        #expect(plain.cause == nil && caused.cause is Outage)
    }

    @Test("is the transport's error for a document that does not come, and the file's for one that cannot be read")
    func causes() async throws {
        let transport = ScriptedTransport()
        let failure = HTTPTransportError(.failed, reason: "the test says so")
        transport.respond { _ in .failure(failure) }
        let source = try HTTPSource(RemoteConfiguration(endpoint: "https://c.example/x"), transport: transport)
        let missing = await #expect(throws: FetchError.self) { try await source.fetch(nil) }
        #expect(missing?.cause as? HTTPTransportError == failure)
        let file = FileSource(path: "/nowhere/document.json")
        let unreadable = await #expect(throws: FetchError.self) { try await file.fetch(nil) }
        #expect(unreadable?.cause is FileError)
    }
}
