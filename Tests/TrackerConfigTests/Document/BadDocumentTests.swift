import TestSupport
import Testing
import TrackerConfig
import TrackerCore

/// Documents that must be refused, by the reader and by a running service.
@Suite("Bad documents", .endsWhenItHangs)
struct BadDocumentTests {
    @Test(
        "one error rejects the whole document in a sentence with the place, line and column",
        arguments: BadDocuments.all)
    func refused(document: BadDocument) throws {
        let error = try #require(throws: ConfigurationError.self) { try Document(document.bytes) }
        #expect(error.code == document.code)
        if let place = document.place { #expect(error.place == place) }
        let position = try #require(error.position)
        let head = error.place.isEmpty ? "" : "\(error.place): "
        #expect(error.description == "\(head)\(error.reason) (\(position))")
        #expect(!error.reason.isEmpty)
        #expect(error.description.utf8.count < 1000 && !error.description.utf8.contains { $0 < 0x20 })
        let lines = document.bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        #expect(lines.indices.contains(position.line - 1))
        #expect(1...lines[position.line - 1].count + 1 ~= position.column)
    }

    @Test("a service goes on as it was, and takes the next good document")
    func service() async throws {
        func settings(_ tracker: Tracker) -> [String] { tracker.layers.explanations.map { "\($0.field) \($0.short)" } }
        let service = Service()
        service.serve(DocumentText.document(0, EveryField.bundle))
        try await service.run { setup in
            let tracker = try #require(setup.tracker("all"))
            let before = settings(tracker)
            let files = service.cacheFiles
            for document in BadDocuments.all {
                service.answer(.success(HTTPTransportResponse(status: 200, body: document.bytes)))
                let error = await setup.refresh().configurationError
                #expect(error?.code == document.code, "\(document.name)")
                #expect(setup.tracker("all") === tracker && settings(tracker) == before, "\(document.name)")
            }
            #expect(service.cacheFiles == files)
            #expect(service.updates.count == 1)
            service.serve(DocumentText.document(2, EveryField.bundle.replacing("\"shop\"", with: "\"new\"")))
            #expect(await setup.refresh().short == "applied 2 [\"all\"]")
            #expect(tracker.settings.appID == "new")
        }
    }
}
