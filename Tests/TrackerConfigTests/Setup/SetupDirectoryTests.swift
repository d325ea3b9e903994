import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerCore
import TrackerTesting

/// The directories of a setup, and what stands in them.
@Suite("A setup's directories", .endsWhenItHangs)
struct SetupDirectoryTests {
    private let service = Service()
    private let document = DocumentText.document(1, DocumentText.bundle())

    @Test(
        "an empty directory is an error and never the root directory", arguments: ["stateDirectory", "cacheDirectory"])
    func empty(option: String) {
        let error = #expect(throws: ConfigurationError.self) {
            try service.start(configure: { options in
                if option == "stateDirectory" { options.stateDirectory = "" } else { options.cacheDirectory = "" }
            })
        }
        #expect(error?.place == "options.\(option)")
    }

    @Test("directories that others can write are warned of once each, and used")
    func writable() async throws {
        for path in [service.cacheDirectory, service.stateDirectory] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            #expect(chmod(path, 0o777) == 0)
        }
        service.serve(document)
        let setup = try service.start()
        #expect(await service.settled().short == #"applied 1 ["a"]"#)
        let warnings = service.updates.flatMap(\.warnings).filter { $0.reason.contains("(mode 777)") }
        #expect(warnings.map(\.place).sorted() == ["cache", "state"])
        await setup.shutdown(timeout: .zero)
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

    @Test("an id and a record beyond their bounds are not read, and said")
    func bounds() async throws {
        service.serve(document)
        try await service.run()
        let state = service.stateDirectory
        #expect(truncate("\(state)/instance-id", 1 << 30) == 0)
        let setup = try service.start()
        await service.settled()
        let warnings = service.updates.last?.warnings.map(\.reason) ?? []
        #expect(warnings.contains { $0.hasSuffix("instance-id: it is larger than 4096 bytes") })
        await setup.shutdown(timeout: .zero)
    }

    @Test("without any directory the status has a warning as long as there are trackers")
    func noDirectory() async throws {
        service.serve(DocumentText.document(1, DocumentText.bundle()))
        let setup = try service.start(configure: {
            $0.stateDirectory = nil
            $0.usesStandardStateDirectory = false
        })
        await service.settled()
        let lines = setup.status.lines.filter { $0.level == .warning }.map(\.text)
        #expect(lines == ["No directory is known; unsent events are kept in memory only"])
        await setup.shutdown(timeout: .zero)
    }

    @Test("a state directory that cannot be used is one line of the event store and one of the versions")
    func oneCause() async throws {
        service.directory.write("", to: "file")
        service.serve(DocumentText.document(1, DocumentText.bundle()))
        let setup = try service.start(configure: { $0.stateDirectory = service.directory.file("file/state") })
        await service.settled()
        let lines = service.log.records.filter { $0.level <= .warning }.map(\.message)
        let beginnings = ["state", "events are kept in memory only until the store can be opened"]
        #expect(Set(lines.map { String($0.prefix { $0 != ":" }) }) == Set(beginnings))
        #expect(lines.count == 2)
        let both =
            "no instance id: this instance takes part in no canary; set instanceID; the crash guard is off: cannot make"
        #expect(lines.contains { $0.contains(both) })
        await setup.shutdown(timeout: .zero)
    }

    @Test("a line of the log has the version of the document that it is about")
    func versions() async throws {
        service.serve(DocumentText.document(1, DocumentText.bundle(), DocumentText.bundle("b")))
        let setup = try service.start()
        await service.settled()
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
}
