import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerCore
import TrackerTesting

/// Each file that a service leaves is damaged in turn, and a service starts on what is left.
@Suite("a service whose files were damaged", .endsWhenItHangs)
struct FileDamageTests {
    private static let document = """
        {"$schema":"http://iglucentral.com/schemas/com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1",
        "configurationVersion":3,
        "configurationBundle":[{"namespace":"a","networkConfiguration":{"endpoint":"https://c.example"}}],
        "features":{"f":{"enabled":true,"variables":{"v":{"value":7}}}},
        "experiments":[{"id":"e","sticky":true,"variants":[{"name":"a","weight":50},{"name":"b","weight":50}]}]}
        """

    private func start(_ service: Service) throws -> Setup {
        service.serve(Self.document)
        return try service.start(
            default: try Document(Array(Self.document.utf8)), version: 0,
            configure: {
                $0.deadLetters = .file()
                $0.features.overridesFile = service.directory.file("overrides.json")
            })
    }

    /// All files below a directory, by their path in it.
    private func files(_ directory: TemporaryDirectory) throws -> [String: Data] {
        var files: [String: Data] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: directory.path) {
            var isDirectory: ObjCBool = false
            guard FileManager.default.fileExists(atPath: directory.file(path), isDirectory: &isDirectory),
                !isDirectory.boolValue
            else { continue }
            files[path] = try Data(contentsOf: URL(filePath: directory.file(path)))
        }
        return files
    }

    /// Lets a service leave a file of each kind.
    /// - Returns: The files as they are after a kill, and the ids of the events that wait.
    /// - Throws: If the service cannot do so.
    private func leave() async throws -> (files: [String: Data], ids: Set<String>, letter: String) {
        let service = Service()
        let setup = try start(service)
        await service.settled()
        // A record of versions.
        setup.confirmHealthy()
        let tracker = try #require(setup.tracker("a"))
        service.collector("c.example", answers: 400)
        let letter = "\(try await tracker.trackCommitted(Structured(category: "c", action: "letter")))"
        await tracker.flush(timeout: .seconds(5))
        service.collector("c.example", answers: 503)
        var ids: Set<String> = []
        for number in 0..<120 {
            let label = String(repeating: "x", count: number * 37 % 900)
            let event = Structured(category: "c", action: "\(number)", label: label)
            if number % 40 == 39 {
                ids.insert("\(try await tracker.trackCommitted(event))")
            } else if let id = tracker.track(event) {
                ids.insert("\(id)")
            }
        }
        _ = setup.experiments.variant(of: "e", default: "-", for: FeatureContext(userID: "u"))
        try setup.features.overrides.set(8, for: "f", variable: "v")
        // Both are stored in the background.
        try await waitUntil("the assignment and the record of versions have a file") {
            let names = try self.files(service.directory).keys
            return ["/assignments.sqlite", ".versions.json"].allSatisfy { end in names.contains { $0.hasSuffix(end) } }
        }
        let files = try self.files(service.directory)
        await setup.shutdown(timeout: .zero)
        return (files, ids, letter)
    }

    @Test("a service starts on damaged files, ends in time, leaves no more than they had, and sends what is whole")
    func startsOnDamagedFiles() async throws {
        let (original, ids, letter) = try await leave()
        let damageable = original.filter { !$0.value.isEmpty }.keys.sorted()
        for kind in [
            "sqlite", "-wal", "log-0.0", "overrides", "cache", "instance-id", "assignments", "dead-letters",
            ".versions.json", ".watch-",
        ] {
            #expect(damageable.contains { $0.contains(kind) }, "there is a file of each kind: \(damageable)")
        }
        for seed in 0..<UInt64(Search.count(damageable.count)) {
            var dice = SeededRandom(seed: Search.seed(seed))
            let name = damageable[Int(seed) % damageable.count]
            let service = Service()
            for (path, data) in original {
                let target = URL(filePath: service.directory.file(path))
                try FileManager.default.createDirectory(
                    at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
                try (path == name ? Self.damaged(data, &dice) : data).write(to: target)
            }
            let setup = try start(service)
            await service.settled()
            let tracker = try #require(setup.tracker("a"))
            for _ in 0..<2 { await tracker.flush(timeout: .seconds(20)) }
            let new = "\(try await tracker.trackCommitted(Structured(category: "c", action: "new")))"
            await tracker.flush(timeout: .seconds(20))
            let sent = service.delivered.compactMap { $0["eid"] }
            await setup.shutdown(timeout: .seconds(5))
            let comment = Comment("seed \(seed), \(name): \(service.log.records.map(\.message))")
            #expect(sent.contains(new), comment)
            // That an event was removed may have been in a part of the log that is gone.
            #expect(Set(sent).isSubset(of: ids.union([new, letter])), comment)
            if !name.contains("/log-") {
                #expect(Set(sent) == ids.union([new]), comment)
                #expect(sent.count == ids.count + 1, comment)
            }
            let (before, after) = (
                original.values.reduce(0) { $0 + $1.count },
                try files(service.directory).values.reduce(0) { $0 + $1.count }
            )
            #expect(after <= before + 64 << 20, comment)
        }
    }

    /// Bytes with damage: noise in some places, noise for a block, or a part cut off.
    private static func damaged(_ data: Data, _ dice: inout SeededRandom) -> Data {
        var bytes = Array(data)
        func overwrite(_ length: Int, _ dice: inout SeededRandom) {
            let start = Int.random(in: 0..<bytes.count, using: &dice)
            for index in start..<min(start + length, bytes.count) {
                bytes[index] = UInt8.random(in: 0...255, using: &dice)
            }
        }
        switch Int.random(in: 0..<4, using: &dice) {
        case 0: bytes.removeLast(Int.random(in: 1...bytes.count, using: &dice))
        case 1: overwrite(16_384, &dice)
        default: for _ in 0..<Int.random(in: 1...20, using: &dice) { overwrite(8, &dice) }
        }
        return Data(bytes)
    }
}
