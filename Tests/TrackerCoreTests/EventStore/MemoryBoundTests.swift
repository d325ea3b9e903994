import Foundation
import TestSupport
import Testing
import TrackerTesting

@testable import TrackerCore

@Suite("events in memory", .endsWhenItHangs)
struct MemoryBoundTests {
    private func rig(_ bytes: Int) -> Rig { Rig(directory: nil, maxMemoryEventBytes: bytes, seed: 1) }

    @Test("behind a very large one are whole")
    func areWholeBehindLargeOnes() async throws {
        let rig = Rig(directory: nil, maxMemoryEventBytes: 200 << 20, seed: 1)
        let tracker = try await rig.idleTracker("ns")
        // The second one would have room in the segment of the first.
        for (action, size) in [("1", 17 << 20), ("2", 100), ("3", 17 << 20), ("4", 100)] {
            tracker.track(PaddedEvent(action: action, size: size))
        }
        tracker.emitter.resume()
        await tracker.flush(timeout: .seconds(60))
        #expect(rig.actions == ["1", "2", "3", "4"])
        #expect(tracker.counters.dropped == 0)
    }

    @Test("of all namespaces have one bound, at which the oldest of the largest give way, counted and logged")
    func isBounded() async throws {
        let rig = rig(1_000_000)
        var trackers: [Tracker] = []
        for number in 0..<20 { trackers.append(try await rig.idleTracker("ns-\(number)")) }
        for round in 0..<20 {
            for tracker in trackers {
                tracker.track(PaddedEvent(action: "a", size: 2_000))
                if round > 0, tracker.namespace == "ns-7" {
                    for _ in 0..<30 { tracker.track(PaddedEvent(action: "a", size: 2_000)) }
                }
            }
            _ = await trackers[0].storedCounters()
            let bytes = await rig.pipeline.memoryBytes
            #expect(bytes <= 1_000_000 && (round < 12 || bytes > 990_000), "round \(round)")
        }
        for tracker in trackers {
            let counters = await tracker.storedCounters()
            let lost = counters.droppedByReason[.storeFull, default: 0]
            #expect(counters.addUp)
            // The others have less than the one with most.
            #expect((lost > 0) == (tracker.namespace == "ns-7"), "\(tracker.namespace)")
        }
        let lines = rig.log.records.filter {
            $0.message.contains("the process may keep 1000000 bytes of events in memory")
        }
        #expect(lines.map(\.namespace) == ["ns-7"])
        #expect(lines.map(\.level) == [.error])
    }

    @Test("without a disk the status has the bound of memory, and the size of the payloads that wait")
    func status() async throws {
        let tracker = try await rig(1_000_000).idleTracker()
        #expect(await tracker.status.storeUsedBytes == 0)
        for _ in 0..<3 { tracker.track(PaddedEvent(action: "a", size: 2_000)) }
        let status = await tracker.status
        let bytes = await tracker.pipeline.memoryBytes
        #expect(status.storeUsedBytes == bytes)
        #expect(status.storeUsedBytes > 6_000)
        #expect((status.storeCapacityBytes, status.storeCapacityEvents) == (1_000_000, 100_000))
    }

    @Test("below the bound are all kept", arguments: [268_435_456, 1])
    func isClamped(bytes: Int) async throws {
        let tracker = try await rig(bytes).idleTracker()
        for _ in 0..<300 { tracker.track(PaddedEvent(action: "a", size: 2_000)) }
        let counters = await tracker.storedCounters()
        #expect(counters.stored == 300)
    }
}

extension EventPipeline {
    /// The bytes of events in memory.
    fileprivate var memoryBytes: Int {
        store.partitions.reduce(0) { $0 + $1.inMemory.bytes }
    }
}
