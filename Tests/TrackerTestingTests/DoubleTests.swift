import FoundationEssentials
import TestSupport
import Testing
import TrackerFeatures
import TrackerTesting

@Suite("Doubles", .endsWhenItHangs)
struct DoubleTests {
    @Test("a manual clock wakes those whose time has come, and moves both of its clocks")
    func manualTime() async throws {
        let time = ManualTime()
        let (now, uptime) = (time.now, time.uptime)
        let woken = Locked<[Int]>([])
        let sleepers = [3, 1, 2].map { seconds in
            Task {
                try await time.sleep(for: .seconds(seconds))
                woken.withLock { $0.append(seconds) }
            }
        }
        await time.waitForSleepers(3)
        #expect(time.pendingSleeps == [.seconds(1), .seconds(2), .seconds(3)])
        time.advance(by: .seconds(1))
        try await sleepers[1].value
        #expect(woken.withLock { $0 } == [1])
        #expect(time.pendingSleeps == [.seconds(1), .seconds(2)])
        time.advance(by: .seconds(2))
        for sleeper in sleepers { try await sleeper.value }
        #expect(time.now == now.addingTimeInterval(3) && time.uptime == uptime + .seconds(3))
        let cancelled = Task { try await time.sleep(for: .seconds(1)) }
        await time.waitForSleep(in: .milliseconds(500) ... .seconds(1))
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        #expect(time.pendingSleeps.isEmpty)
        let waiter = Task { await time.waitForSleepers() }
        waiter.cancel()
        await waiter.value
    }

    @Test("random bytes are the same for the same seed, whatever the sizes of the requests")
    func seededRandom() {
        func bytes(_ seed: UInt64) -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: 100)
            bytes.withUnsafeMutableBytes { SeededRandom(seed: seed).fill($0) }
            return bytes
        }
        #expect(bytes(1) == bytes(1))
        #expect(bytes(1) != bytes(2))
        let source = SeededRandom(seed: 3)
        #expect([source.next(), source.next()] != [source.next(), source.next()])
    }

    @Test("a source in memory hints if it streams, and counts its connections")
    func memoryHints() async throws {
        let source = MemorySource("{}")
        #expect(source.changes() == nil)
        source.streams = true
        var hints = try #require(source.changes()).makeAsyncIterator()
        var others = source.changes()
        #expect(source.openConnections == 2 && source.connectionsOpened == 2)
        others = nil
        #expect(others == nil && source.openConnections == 1)
        #expect(try await hints.next() == ChangeHint())
        // Only the newest one is kept.
        for version in 2...3 { source.hint(ChangeHint(version: version)) }
        source.disconnect(FetchError(.transport, reason: "reset"))
        #expect(try await hints.next() == ChangeHint(version: 3))
        let failure = await #expect(throws: FetchError.self) { try await hints.next() }
        #expect(failure?.reason == "reset")
        #expect(source.openConnections == 0 && source.connectionsOpened == 2)
        source.streams = false
        #expect(source.changes() == nil)
    }

    @Test("a log in memory keeps its records in their order")
    func memoryLog() {
        let log = MemoryLog()
        let records = [LogRecord(level: .info, message: "one"), LogRecord(level: .error, message: "two")]
        for record in records { log.log(record) }
        #expect(log.records == records)
        #expect(log.contains("tw") && !log.contains("three"))
    }

    @Test("a temporary directory is there until it is released")
    func temporaryDirectory() throws {
        var directory: TemporaryDirectory? = TemporaryDirectory()
        let path = try #require(directory?.path)
        directory?.write("text", to: "b")
        directory?.write("", to: "a")
        #expect(directory?.names == ["a", "b"])
        #expect(try String(contentsOfFile: "\(path)/b", encoding: .utf8) == "text")
        directory = nil
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("bytes that were compressed are decompressed, damaged and excessive ones are not")
    func gzip() throws {
        for size in [0, 1, 65_536, 200_000] {
            let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }
            let compressed = try #require(Gzip.compress(bytes))
            #expect(Gzip.decompress(compressed) == bytes)
            #expect(Gzip.decompress(compressed.dropLast(1) + []) == nil)
            #expect(size == 0 || Gzip.decompress(compressed, maxSize: size - 1) == nil)
        }
        #expect(Gzip.decompress([]) == nil && Gzip.decompress(Array("no gzip".utf8)) == nil)
    }
}
