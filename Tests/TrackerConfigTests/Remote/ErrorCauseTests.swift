import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerCore

@Suite("The cause of an error")
struct ErrorCauseTests {
    private struct Outage: Error {}

    @Test("does not count when errors are compared")
    func comparison() {
        let plain = FetchError(.transport, reason: "nothing came")
        let caused = FetchError(.transport, reason: "nothing came", cause: Outage())
        #expect(plain == caused)
        #expect(plain.hashValue == caused.hashValue)
        #expect(plain.cause == nil)
        #expect(caused.cause is Outage)
    }

    @Test("of a document that does not come is the transport's error")
    func transport() async throws {
        let transport = ScriptedTransport()
        transport.hold()
        let source = try HTTPSource(RemoteConfiguration(endpoint: "https://c.example/x"), transport: transport)
        async let fetched = source.fetch(nil)
        let held = await transport.next()
        held.fail()
        do {
            _ = try await fetched
            Issue.record("a document came")
        } catch {
            let cause = (error as? FetchError)?.cause as? HTTPTransportError
            #expect(cause == HTTPTransportError(.failed, reason: "the test says so"))
        }
    }

    @Test("of a document that cannot be read is the file's error")
    func file() async throws {
        do {
            _ = try await FileSource(path: "/nowhere/document.json").fetch(nil)
            Issue.record("a document came")
        } catch {
            #expect(error.cause is FileError)
        }
    }
}
