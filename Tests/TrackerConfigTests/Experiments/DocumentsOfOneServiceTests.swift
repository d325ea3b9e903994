import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerFeatures
import TrackerTesting

/// One file of assignments for all documents of a service, whatever their URLs are.
@Suite("Assignments of a service", .endsWhenItHangs)
struct DocumentsOfOneServiceTests {
    private let service = Service()

    private func document(_ version: Int, _ experiments: String...) -> String {
        DocumentText.document(version, more: ",\"experiments\":[\(experiments.joined(separator: ","))]")
    }

    /// An experiment by which the hash gives all new units one variant.
    private func experiment(_ variant: String, of id: String = "e") -> String {
        let (a, b) = variant == "a" ? (1, 0) : (0, 1)
        return #"""
            {"id":"\#(id)","sticky":true,"variants":[{"name":"a","weight":\#(a)},{"name":"b","weight":\#(b)}]}
            """#
    }

    private func start(_ url: String, _ document: String) async throws -> Setup {
        service.serve(document)
        let setup = try service.start("https://config.example/\(url)")
        await service.settled()
        return setup
    }

    private func variants(_ setup: Setup, of id: String = "e", _ users: Range<Int> = 0..<20) -> [String: Int] {
        let variants = users.map {
            setup.experiments.variant(of: id, default: "-", for: FeatureContext(userID: "u-\($0)")).variant
        }
        return Dictionary(grouping: variants) { $0 }.mapValues(\.count)
    }

    /// The rows of a user in all files of the state directory.
    private func rows(of user: String) throws -> Int {
        let names = try FileManager.default.subpathsOfDirectory(atPath: service.stateDirectory)
        return try names.filter { $0.contains("assignments") && $0.hasSuffix(".sqlite") }.reduce(0) { count, name in
            let database = try SQLiteDatabase(path: "\(service.stateDirectory)/\(name)")
            let statement = try database.prepare("SELECT count(*) FROM assignments WHERE id = ?")
            return count + Int(try statement.bind(1, user).number() ?? 0)
        }
    }

    @Test("another name of the document and a rotated signature keep all units; erasure leaves no row in any file")
    func renamed() async throws {
        let first = try await start("one.json", document(1, experiment("a")))
        #expect(variants(first) == ["a": 20])
        await first.shutdown(timeout: .seconds(5))
        for (version, url) in ["one.json", "two.json", "two.json?token=1", "two.json?token=2"].enumerated() {
            let setup = try await start(url, document(2 + version, experiment("b")))
            #expect(variants(setup) == ["a": 20], "\(url)")
            await setup.shutdown(timeout: .seconds(5))
        }
        let last = try await start("two.json?token=3", document(9, experiment("b")))
        #expect(try await last.experiments.forget(ExperimentUnit(name: "userId", id: "u-7")) == 1)
        #expect(try rows(of: "u-7") == 0)
        #expect(try rows(of: "u-8") == 1)
        await last.shutdown(timeout: .seconds(5))
    }

    @Test("two setups with different documents share what an experiment's id has, and keep it without the experiment")
    func twoDocuments() async throws {
        let one = try await start("one.json", document(1, experiment("a", of: "both")))
        let two = try await start("two.json", document(1, experiment("b", of: "both")))
        #expect(variants(one, of: "both", 0..<10) == ["a": 10])
        _ = await one.experiments.flush(timeout: .seconds(60))
        #expect(variants(two, of: "both") == ["a": 10, "b": 10])
        _ = await two.experiments.flush(timeout: .seconds(60))
        service.serve(document(2))
        await one.refresh()
        _ = await one.experiments.flush(timeout: .seconds(60))
        #expect(try rows(of: "u-1") == 1)
        await one.shutdown(timeout: .seconds(5))
        await two.shutdown(timeout: .seconds(5))
    }
}
