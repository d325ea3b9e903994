import Foundation
import TestSupport
import Testing
import TrackerFeatures
import TrackerTesting

@testable import TrackerConfig

/// The directories of a setup, and what stands in them.
@Suite("A setup's directories", .endsWhenItHangs)
struct SetupDirectoryTests {
    private let service = Service()
    private let document = DocumentText.document(1, DocumentText.bundle())

    private var names: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: service.stateDirectory)) ?? []
    }

    @Test("directories that others can write are warned of once each, and used")
    func writable() async throws {
        for path in [service.cacheDirectory, service.stateDirectory] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            #expect(chmod(path, 0o777) == 0)
        }
        service.serve(document)
        #expect(try await service.run().short == #"applied 1 ["a"]"#)
        let warnings = service.updates.flatMap(\.warnings).filter { $0.reason.contains("(mode 777)") }
        #expect(warnings.map(\.place).sorted() == ["cache", "state"])
    }

    @Test("links in the directories are not followed: nothing outside is written or read")
    func links() async throws {
        service.serve(document)
        try await service.run()
        let state = service.stateDirectory
        let names = try FileManager.default.contentsOfDirectory(atPath: state)
        service.directory.write("precious", to: "victim")
        let victim = service.directory.file("victim")
        for name in names {
            try FileManager.default.removeItem(atPath: "\(state)/\(name)")
            try FileManager.default.createSymbolicLink(atPath: "\(state)/\(name)", withDestinationPath: victim)
        }
        let outcome = try await service.run()
        #expect(outcome.short == "unchanged 1")
        #expect(try String(contentsOfFile: victim, encoding: .utf8) == "precious")
        let warnings = service.updates.last?.warnings.map(\.reason) ?? []
        #expect(warnings.contains { $0.contains("it is a symbolic link, which is not followed") })
    }

    @Test(
        "what a full disk or a power failure leaves of the instance's id is drawn anew, and then kept",
        arguments: [0, 36])
    func drawsAgain(zeros: Int) async throws {
        let file = "\(service.stateDirectory)/instance-id"
        service.serve(document)
        try await service.run()
        let first = try String(contentsOfFile: file, encoding: .utf8)
        try Data(count: zeros).write(to: URL(filePath: file))
        try await service.run()
        let second = try String(contentsOfFile: file, encoding: .utf8)
        #expect(second.utf8.count == 36 && second != first && !second.contains("\0"))
        try await service.run()
        #expect(try String(contentsOfFile: file, encoding: .utf8) == second)
    }

    @Test("an instance's id beyond its bound is not read, with a warning")
    func bounds() async throws {
        service.serve(document)
        try await service.run()
        #expect(truncate("\(service.stateDirectory)/instance-id", 1 << 30) == 0)
        try await service.run()
        let warnings = service.updates.last?.warnings.map(\.reason) ?? []
        #expect(warnings.contains { $0.hasSuffix("instance-id: it is larger than 4096 bytes") })
    }

    @Test("without any directory the status has a warning as long as there are trackers")
    func noDirectory() async throws {
        service.serve(document)
        let setup = try await service.started(configure: {
            $0.stateDirectory = nil
            $0.usesStandardStateDirectory = false
        })
        let lines = setup.status.lines.filter { $0.level == .warning }.map(\.text)
        #expect(lines == ["No directory is known; unsent events are kept in memory only"])
        await setup.shutdown(timeout: .zero)
    }

    @Test("a state directory that cannot be used is two warnings, two lines of the log, and events in memory")
    func unusable() async throws {
        service.directory.write("", to: "file")
        service.serve(document)
        let setup = try await service.started(configure: {
            $0.stateDirectory = service.directory.file("file/state")
        })
        #expect(service.updates[0].warnings.map(\.place) == ["state", "event store"])
        let lines = service.log.records.filter { $0.level <= .warning }.map(\.message)
        let beginnings = ["state", "events are kept in memory only, where a kill would lose them"]
        #expect(Set(lines.map { String($0.prefix { $0 != ":" }) }) == Set(beginnings))
        #expect(lines.count == 2)
        let both =
            "no instance id: this instance takes part in no canary; set instanceID; the crash guard is off: cannot make"
        #expect(lines.contains { $0.contains(both) })
        await setup.tracker("a")?.deliver()
        #expect(service.delivered.count == 1)
        await setup.shutdown(timeout: .zero)
    }

    @Test("a line of the log has the version of the document that it is about")
    func versions() async throws {
        service.serve(DocumentText.document(1, DocumentText.bundle(), DocumentText.bundle("b")))
        let setup = try await service.started()
        let odd = DocumentText.bundle("a", at: "collector.example", #""tracker":{"odd":1}"#)
        service.serve(DocumentText.document(2, odd))
        await setup.refresh()
        service.serve(DocumentText.document(3, DocumentText.bundle(), DocumentText.bundle()))
        await setup.refresh()
        func version(_ text: String) -> Int? { service.log.records.last { $0.message.contains(text) }?.version }
        #expect(version("version 1 was applied") == 1)
        #expect(version("odd: ") == 2)
        #expect(version("b: no longer in the document") == 2)
        #expect(version("was rejected") == 3)
        await setup.shutdown(timeout: .zero)
    }

    @Test("events in memory leave no file and no warning, and the instance's id is kept", arguments: [true, false])
    func memory(isInMemory: Bool) async throws {
        service.serve(document)
        let setup = try await service.started(configure: { if isInMemory { $0.storesEvents = false } })
        let tracker = try #require(setup.tracker("a"))
        tracker.track(Structured(category: "c", action: "1"))
        #expect(await tracker.flush().sent == 1)
        #expect(names.contains { $0.hasPrefix("log-") } == !isInMemory)
        #expect(names.contains("instance-id"))
        #expect(service.updates.flatMap(\.warnings) == [])
        #expect(service.log.records.filter { $0.level <= .warning } == [])
        await setup.shutdown(timeout: .zero)
    }

    @Test("a setup keeps dead letters")
    func keeps() async throws {
        service.serve(document)
        service.collector("collector.example", answers: 403)
        let letters = DeadLetters.file(maxBytes: 1_000_000, maxAge: .seconds(3600))
        let setup = try await service.started(configure: { $0.deadLetters = letters })
        let tracker = try #require(setup.tracker("a"))
        let id = tracker.track(Structured(category: "c", action: "1"))
        #expect(await tracker.flush().dropped == 1)
        var ids: [String?] = []
        try DeadLetterStore.existing(in: service.stateDirectory)?
            .forEach(DeadLetter.Filter()) { ids.append($0.eventID) }
        #expect(ids == [id?.description])
        await setup.shutdown(timeout: .zero)
    }

    @Test("below the standard directory each service has one of its own, by its name")
    func hasOwnDirectory() throws {
        var options = SetupOptions()
        options.serviceName = "orders/eu"
        let environment = ["XDG_STATE_HOME": service.directory.path]
        let location = try StateLocation(options, environment: environment)
        #expect(location.path == "\(service.directory.path)/tracker-config/orders%2Feu")
        options.serviceName = nil
        let executable = try #require(CommandLine.arguments.first?.split(separator: "/").last)
        let path = try StateLocation(options, environment: environment).path
        #expect(path?.hasSuffix("/\(ServiceName.component(String(executable)))") == true)
    }

    @Test("flags work without a tracker, and there is no event store until a document brings the first one")
    func withoutTrackers() async throws {
        service.serve(DocumentText.document(1, more: #","features":{"search":{"enabled":true}}"#))
        let setup = try await service.started()
        #expect(setup.features.isEnabled("search"))
        #expect(!names.contains { $0.hasPrefix("log-") })
        #expect(setup.unclaimedEvents.isEmpty)
        service.serve(DocumentText.document(2, DocumentText.bundle()))
        #expect(await setup.refresh() == .applied(version: 2, namespaces: ["a"]))
        #expect(setup.tracker("a")?.track(Structured(category: "c", action: "a")) != nil)
        #expect(names.contains { $0.hasPrefix("log-") })
        #expect(await setup.shutdown(timeout: .zero).stored == 1)
    }

    @Test("after a shutdown there is no event store, whatever document comes")
    func withoutTrackersAfterShutdown() async throws {
        service.serve(DocumentText.document(1))
        let setup = try await service.started()
        #expect(await setup.shutdown(timeout: .zero).short == "sent 0, stored 0, dropped 0")
        service.serve(DocumentText.document(2, DocumentText.bundle()))
        await setup.refresh()
        #expect(!names.contains { $0.hasPrefix("log-") })
    }
}
