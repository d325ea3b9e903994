import TestSupport
import Testing
import TrackerConfig
import TrackerCore

/// The corpus of documents that must be refused, by the reader and by a running service.
@Suite("Bad documents", .endsWhenItHangs)
struct BadDocumentTests {
    @Test("the corpus has at least 200 documents, and no two are the same")
    func corpus() {
        #expect(BadDocuments.all.count >= 200)
        #expect(Set(BadDocuments.all.map(\.bytes)).count == BadDocuments.all.count)
    }

    @Test("every one is refused in a sentence that names the place", arguments: BadDocuments.all)
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

    private static func settings(_ tracker: Tracker) -> [String] {
        tracker.explanations().map { "\($0.field) \($0.short)" }
    }

    @Test("a service goes on as it was, and takes the next good document", arguments: BadDocuments.groups.map(\.name))
    func service(group: String) async throws {
        let documents = try #require(BadDocuments.groups.first { $0.name == group }).documents
        let service = Service()
        service.serve(DocumentText.document(0, EveryField.bundle))
        try await service.run { setup in
            let tracker = try #require(setup.tracker("all"))
            let settings = Self.settings(tracker)
            let files = service.cacheFiles
            for document in documents {
                service.answer(.success(HTTPTransportResponse(status: 200, body: document.bytes)))
                guard let error = await setup.refresh().configurationError else {
                    Issue.record("\(document.name) was not rejected")
                    continue
                }
                #expect(error.code == document.code, "\(document.name)")
                #expect(setup.tracker("all") === tracker, "\(document.name)")
                #expect(Self.settings(tracker) == settings, "\(document.name)")
            }
            #expect(service.cacheFiles == files)
            #expect(service.updates.count == 1)
            service.serve(DocumentText.document(2, EveryField.bundle.replacing("\"shop\"", with: "\"new\"")))
            #expect(await setup.refresh().short == "applied 2 [\"all\"]")
            #expect(tracker.settings.appID == "new")
        }
    }
}
