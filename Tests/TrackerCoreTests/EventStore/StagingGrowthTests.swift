import Foundation
import TestSupport
import Testing
import TrackerTesting

@testable import TrackerCore

@Suite("a staging file that grows", .endsWhenItHangs)
struct StagingGrowthTests {
    private let directory = TemporaryDirectory()

    private func fileSize(_ directory: TemporaryDirectory) throws -> Int {
        try Data(contentsOf: URL(filePath: directory.file("events-0.staging")), options: .alwaysMapped).count
    }

    /// Tracks large events, each once there is room again if that can be made.
    private func track(_ numbers: ClosedRange<Int>, size: Int, in tracker: Tracker, _ rig: Rig) async throws {
        let area = try #require(rig.pipeline.queue.area)
        for number in numbers {
            tracker.track(PaddedEvent(action: "\(number)", size: size))
            try await waitUntil("the file has its size") {
                area.segments.withLock { !$0.isGrowthDue && !$0.isResizing }
            }
        }
    }

    @Test("a burst of large events while the disk hangs is sent by the next process, and the file shrinks again")
    func keepsBursts() async throws {
        let rig = Rig(stateDirectory: directory.path)
        let tracker = try await rig.idleTracker()
        var copy: TemporaryDirectory?
        try await rig.pipeline.holdingStore {
            try await track(1...24, size: 300_000, in: tracker, rig)
            copy = try StoreFiles(directory: directory).copy()
        }
        #expect(rig.pipeline.unstagedEvents == 0)
        let killed = try #require(copy)
        #expect(try fileSize(killed) > StagingFile.standard.size)
        let next = Rig(stateDirectory: killed.path, seed: 9)
        let heir = try await next.tracker { $0.emitter?.byteLimitPost = 10_000_000 }
        await next.pipeline.tend()
        await heir.flush(timeout: .seconds(60))
        #expect(next.actions.count == 24)
        #expect(Set(next.actions) == Set(texts(1...24)))
        await next.pipeline.tend()
        #expect(try fileSize(killed) == StagingFile.standard.size)
        _ = await tracker.storedCounters()
        await rig.pipeline.tend()
        #expect(try fileSize(directory) == StagingFile.standard.size)
        // It grows again, and what is in it is stored once.
        try await rig.pipeline.holdingStore { try await track(25...44, size: 300_000, in: tracker, rig) }
        #expect(await tracker.storedCounters().stored == 44)
        #expect(try StoreFiles(directory: directory).count() == 44)
        #expect(rig.pipeline.unstagedEvents == 0)
    }

    @Test("a file that another thread makes larger just now is not made smaller")
    func leavesGrowthAlone() throws {
        let path = directory.file("events-0.staging")
        let (area, _) = try StagingArea.open(path, .standard, stored: [:])
        // The thread has its room on the disk, and not its segments.
        area.segments.withLock { $0.isResizing = true }
        #expect(truncate(path, off_t(2 * StagingFile.standard.size)) == 0)
        area.shrink()
        #expect(area.segments.withLock { $0.isResizing })
        #expect(try fileSize(directory) == 2 * StagingFile.standard.size)
    }

    @Test("events beyond the bound wait in memory only, which the status and one line a time say with their number")
    func countsBeyondBound() async throws {
        let rig = Rig(stateDirectory: directory.path)
        let tracker = try await rig.idleTracker { $0.emitter?.maxEventStoreBytes = 8_900_000 }
        // The greatest bound counts, not the last one.
        _ = try await rig.tracker("small") { $0.emitter?.maxEventStoreBytes = 1_000_000 }
        try await rig.pipeline.holdingStore {
            try await track(1...20, size: 400_000, in: tracker, rig)
            #expect(rig.pipeline.unstagedEvents == 4)
            #expect(
                rig.pipeline.storeFailure?.text
                    == "4 events wait in memory only, where a kill would lose them: the staging file cannot grow: it has "
                    + "reached the greatest maxEventStoreBytes of the trackers")
        }
        #expect(await tracker.storedCounters().stored == 20)
        #expect(rig.pipeline.storeFailure == nil)
        for _ in 0..<3 { await rig.pipeline.tend() }
        let lines = rig.log.records.filter { $0.message.contains("in memory only") }
        #expect(lines.allSatisfy { $0.level == .warning })
        #expect(lines.count == 2)
        #expect(lines.first?.message.hasPrefix("events wait in memory only, where a kill would lose them: ") == true)
        #expect(lines.last?.message == "4 events waited in memory only, where a kill would have lost them")
        #expect(try fileSize(directory) == StagingFile.standard.size)
    }

    @Test("a file has no more than 4,096 segments, which are 2 GiB, however much the trackers may store")
    func boundsFile() throws {
        let layout = StagingFile(segmentSize: 4096)
        let (area, _) = try StagingArea.open(directory.file("events-0.staging"), layout, stored: [:])
        area.setLimit(bytes: .max)
        for _ in 0..<4200 {
            _ = area.begin()
            area.grow()
        }
        #expect(area.counts.all == 4096)
        #expect(area.counts.free == 0)
        #expect(try fileSize(directory) == layout.start(of: 4096))
        #expect(StagingFile.standard.start(of: 4096) == StagingFile.headerSize + (2 << 30))
    }

    @Test("events that a full disk leaves in memory without a record are in the status, with their number")
    func countsMemory() async throws {
        let rig = Rig(stateDirectory: directory.path)
        let tracker = try await rig.idleTracker { $0.emitter?.maxEventStoreBytes = 8_900_000 }
        try await rig.pipeline.fail("INSERT ON events")
        try await rig.pipeline.holdingStore { try await track(1...20, size: 400_000, in: tracker, rig) }
        _ = await tracker.storedCounters()
        await rig.pipeline.tend()
        let text = try #require(rig.pipeline.storeFailure?.text)
        #expect(text.hasPrefix("events are kept in memory until the store works again: "))
        #expect(text.hasSuffix("; 4 events wait in memory only, where a kill would lose them"))
        try await rig.pipeline.repair()
        await rig.pipeline.tend()
        try await tracker.trackCommitted(Structured(category: "c", action: "21"))
        await rig.pipeline.tend()
        #expect(rig.pipeline.storeFailure == nil)
        #expect(try StoreFiles(directory: directory).count() == 21)
    }

    @Test("damage in which no event can be read is counted with the first tracker, and logged")
    func countsWithoutTracker() async throws {
        let rig = Rig(stateDirectory: directory.path)
        let tracker = try await rig.idleTracker()
        var copy: TemporaryDirectory?
        try await rig.pipeline.holdingStore {
            tracker.track(1...1)
            copy = try StoreFiles(directory: directory).copy()
        }
        let killed = try #require(copy)
        let path = killed.file("events-0.staging")
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes[try #require(bytes.range(of: Data("\"se_ac\":\"1\"".utf8))).lowerBound] ^= 1
        try bytes.write(to: URL(filePath: path))
        let next = Rig(stateDirectory: killed.path, seed: 9)
        await next.pipeline.tend()
        let heir = try await next.tracker()
        await next.pipeline.tend()
        #expect(heir.counters.droppedByReason == [.damaged: 1])
        #expect(heir.counters.addUp(recovered: 1))
        let lines = next.log.records.filter { $0.level == .error }.map(\.message)
        #expect(lines == ["1 event was dropped (damaged): their records in the staging file are damaged"])
        let third = Rig(stateDirectory: killed.path, seed: 10)
        await third.pipeline.tend()
        #expect(try await third.tracker().counters.droppedByReason == [:])
    }

    @Test(
        "a file of release 0.2.0 is read, with records to the end of a segment, and names that were cut",
        arguments: [true, false])
    func readsFormerFiles(hasHeader: Bool) async throws {
        let name = String(repeating: "n", count: 150)
        let rig = Rig(stateDirectory: directory.path)
        let tracker = try await rig.tracker(name)
        await tracker.flush(timeout: .seconds(60))
        let copy = try StoreFiles(directory: directory).copy()
        let path = copy.file("events-0.staging")
        var bytes = [UInt8](repeating: 0, count: StagingFile.standard.size)
        bytes.replaceSubrange(0..<8, with: Array("TCSTAGE1".utf8))
        let start = StagingFile.headerSize
        var (offset, count) = (StagingFile.segmentHeaderSize, 0)
        bytes.withUnsafeMutableBytes { file in
            let size = StagingFile.standard.segmentSize
            let segment = UnsafeMutableRawBufferPointer(rebasing: file[start..<start + size])
            // The last record fills the segment.
            while offset < size {
                let left = size - offset
                let id = #"{"e":"se","eid":"\#(UUID())","tna":"\#(name.prefix(128))""#
                let head = id + #","se_ac":"\#(count + 1)","se_la":""#
                let body = left < 4096 ? left - StagedRecord.headerSize : 1000
                let payload = Array((head + String(repeating: "x", count: body - head.utf8.count - 2) + "\"}").utf8)
                payload.withUnsafeBytes { bytes in
                    let record = StagedRecord(
                        namespace: 0, isAnonymous: false, time: rig.time.wallTime, sequence: UInt64(count),
                        payload: bytes)
                    record.write(to: segment.baseAddress!, at: offset, generation: 1 << 20)
                    offset += record.size
                }
                count += 1
            }
            let end = StagedEnd(offset: offset, count: count).word
            for (place, word) in [(0, 1 << 20), (16, end), (32, StagedEnd.start.word)] {
                // Damage takes both copies.
                let word = hasHeader ? word : .max
                for copy in 0...1 { segment.storeBytes(of: word, toByteOffset: place + 8 * copy, as: UInt64.self) }
            }
        }
        try Data(bytes).write(to: URL(filePath: path))
        let next = Rig(stateDirectory: copy.path, seed: 9)
        let heir = try await next.tracker(name)
        await next.pipeline.tend()
        await heir.flush(timeout: .seconds(60))
        #expect(next.actions.sorted() == texts(1...count).sorted())
        #expect(heir.counters.sent == count)
        #expect(heir.counters.droppedByReason == [:])
    }
}
