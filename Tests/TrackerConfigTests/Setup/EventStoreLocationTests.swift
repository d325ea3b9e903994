import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerCore
import TrackerTesting

@Suite("where a setup keeps events", .endsWhenItHangs)
struct EventStoreLocationTests {
    private let service = Service()
    private let document = DocumentText.document(1, DocumentText.bundle())

    private var names: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: service.stateDirectory)) ?? []
    }

    @Test("events in memory leave no file and no warning, and the instance's id is kept", arguments: [true, false])
    func memory(isInMemory: Bool) async throws {
        service.serve(document)
        let setup = try service.start(configure: { if isInMemory { $0.storesEvents = false } })
        await service.settled()
        let tracker = try #require(setup.tracker("a"))
        tracker.track(Structured(category: "c", action: "1"))
        #expect(await tracker.flush().sent == 1)
        #expect(names.contains { $0.hasPrefix("events-") } == !isInMemory)
        #expect(names.contains("instance-id"))
        #expect(service.updates.flatMap(\.warnings) == [])
        #expect(service.log.records.filter { $0.level <= .warning } == [])
        await setup.shutdown(timeout: .zero)
    }

    @Test("dead letters need a file")
    func deadLetters() {
        let error = #expect(throws: ConfigurationError.self) {
            try service.start(configure: { options in
                options.storesEvents = false
                options.deadLetters = .file()
            })
        }
        #expect(error?.place == "options.deadLetters")
    }

    @Test("a setup keeps dead letters")
    func keeps() async throws {
        service.serve(document)
        service.collector("collector.example", answers: 403)
        let setup = try service.start(configure: { $0.deadLetters = .file(maxBytes: 1_000_000, maxAge: .seconds(3600)) }
        )
        await service.settled()
        let tracker = try #require(setup.tracker("a"))
        let id = tracker.track(Structured(category: "c", action: "1"))
        #expect(await tracker.flush().dropped == 1)
        var ids: [String?] = []
        try DeadLetterStore.existing(in: service.stateDirectory)?
            .forEach(DeadLetter.Filter()) { ids.append($0.eventID) }
        #expect(ids == [id?.description])
        await setup.shutdown(timeout: .zero)
    }

    @Test(
        "a certificate file and a timeout of the default that cannot be used are errors with their place",
        arguments: ["certificateFile", "timeout"])
    func network(field: String) {
        var network = NetworkConfiguration(endpoint: "https://collector.example")
        if field == "timeout" { network.timeout = .zero } else { network.certificateFile = "/nonexistent/ca.pem" }
        let error = #expect(throws: ConfigurationError.self) {
            try service.start(default: [ConfigurationBundle(namespace: "a", network: network)])
        }
        #expect(error?.place == "default[0].network.\(field)")
    }
}
