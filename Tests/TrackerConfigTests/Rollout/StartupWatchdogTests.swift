import Foundation
import TestSupport
import Testing
import TrackerFeatures
import TrackerTesting

@testable import TrackerConfig

@Suite("StartupWatchdog", .endsWhenItHangs)
struct StartupWatchdogTests {
    private let directory = TemporaryDirectory()

    @Test("what one thread begins to watch, others end once each")
    func endsOnce() async throws {
        var endings: [StartupWatchdog.Record] = []
        let watch = try StartupWatchdog(prefix: directory.file("watch-"), endings: &endings)
        let ended = Locked<[Int]>([])
        let rounds = Search.count(1_000)
        await Threads.run(3) { thread in
            if thread == 0 {
                for version in 1...rounds { watch.begin(version) }
            } else {
                let versions = (0..<rounds).compactMap { _ in watch.end(.survived) }
                ended.withLock { $0 += versions }
            }
        }
        let versions = ended.withLock { $0 } + [watch.end(.survived)].compactMap(\.self)
        #expect(!versions.isEmpty)
        #expect(Set(versions).count == versions.count)
        #expect(watch.watched == nil)
    }

    @Test("a directory whose locks are all taken has an end, which is warned of", .mayBlock)
    func endsWithoutFiles() async {
        await #expect(processExitsWith: .success) {
            let directory = TemporaryDirectory()
            let locks = try (0..<1000).map { try FileLock(path: directory.file("watch-\($0)")) }
            var endings: [StartupWatchdog.Record] = []
            do throws(FileError) {
                _ = try StartupWatchdog(prefix: directory.file("watch-"), endings: &endings)
                preconditionFailure("there was no file to take")
            } catch {
                precondition(error.operation == .lock)
            }
            precondition(directory.names.count == locks.count)
        }
    }

    @Test("a watch gives its descriptors back, however often it begins", .mayBlock)
    func descriptors() async {
        await #expect(processExitsWith: .success) {
            let directory = TemporaryDirectory()
            var counts: [Int] = []
            for round in 0..<60 {
                var endings: [StartupWatchdog.Record] = []
                let watch = try StartupWatchdog(prefix: directory.file("watch-"), endings: &endings)
                watch.begin(round)
                watch.end(.survived)
                watch.begin(Int(round + 1))
                counts.append(try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count)
            }
            // Other threads, as those of Dispatch, open a few files too.
            let growth = (counts.suffix(20).min() ?? 0) - (counts.prefix(20).min() ?? 0)
            precondition(growth < 10, "descriptors grow: \(counts)")
            // Each ended watch let go of its file, so that one was enough.
            precondition(directory.names == ["watch-0"], "\(directory.names)")
        }
    }

    @Test("what cannot be read again and again is warned of once")
    func warnings() throws {
        try FileManager.default.createDirectory(
            atPath: directory.file("x"), withIntermediateDirectories: true)
        let versions = VersionHistory(
            directory: directory.path, url: "https://config.example/", crashGuard: CrashGuard(), instanceID: nil,
            random: SystemRandom(), time: SystemTime())
        let names = directory.names.filter { $0.hasSuffix(".watch-0") }
        let record = try #require(names.first).replacing(".watch-0", with: ".versions.json")
        try FileManager.default.createDirectory(
            atPath: directory.file(record), withIntermediateDirectories: true)
        _ = versions.takeWarnings()
        for _ in 0..<3 { versions.refresh() }
        #expect(versions.takeWarnings().count == 1)
    }
}
