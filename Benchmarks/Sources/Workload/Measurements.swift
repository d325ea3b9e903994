import Foundation
import Synchronization
import TrackerCore

/// What one delivery of many events took.
package struct Delivery: Sendable {
    package let events: Int
    /// The time that making and tracking the events took together.
    package let trackSeconds: Double
    /// From the first `track` until the last event was answered.
    package let seconds: Double
    package let cpuSeconds: Double
    /// How often the queue was full.
    package let waits: Int
}

extension Rig {
    /// Tracks events on a thread, or one after the other until each is on the disk, and sends them until nothing is left.
    package func deliver(_ count: Int, isCommitted: Bool = false) async throws -> Delivery {
        let cpu = Meter.cpuSeconds
        let start = Meter.nanoseconds
        let waits = isCommitted ? try await trackCommitted(count) : await onThread { self.track(count) }
        let tracked = Meter.nanoseconds
        try await drain()
        return Delivery(
            events: count, trackSeconds: Double(tracked - start) / 1e9,
            seconds: Double(Meter.nanoseconds - start) / 1e9, cpuSeconds: Meter.cpuSeconds - cpu, waits: waits)
    }

    private func trackCommitted(_ count: Int) async throws -> Int {
        for _ in 0..<count { try await tracker.trackCommitted(Order.event(), entities: [Order.entity()]) }
        return 0
    }

    /// The time of each single call of `track`, in nanoseconds, two readings of the clock included.
    package func callTimes(_ count: Int) async -> [UInt64] {
        await onThread {
            let event = Order.event()
            let entities = [Order.entity()]
            var times = [UInt64](repeating: 0, count: count)
            for index in 0..<count {
                let start = Meter.nanoseconds
                self.tracker.track(event, entities: entities)
                times[index] = Meter.nanoseconds - start
            }
            return times
        }
    }

    /// Tracks from several threads at once.
    /// - Parameters:
    ///   - threads: The number of threads.
    ///   - count: The number of events of each thread.
    ///   - isApart: Whether each of two threads has a tracker of its own.
    /// - Returns: The seconds from the moment that all are released until the last is done.
    /// - Throws: If the queue was full.
    package func trackInParallel(threads: Int, each count: Int, isApart: Bool = false) async throws -> Double {
        let refusedBefore = tracker.counters.dropped
        let started = Atomic(0)
        let seconds = await inParallel(threads: threads) {
            let index = started.wrappingAdd(1, ordering: .relaxed).oldValue
            let tracker = isApart && index == 1 ? self.other : self.tracker
            let event = Order.event()
            let entities = [Order.entity()]
            return { for _ in 0..<count { tracker.track(event, entities: entities) } }
        }
        guard tracker.counters.dropped == refusedBefore else { throw BenchmarkError("the queue was full") }
        return seconds
    }

    /// How many bytes the process grows for each event that waits.
    ///
    /// The rig must not be sending. The queue before the store is emptied every thousand events, so that a burst does
    /// not count.
    package func memoryPerQueuedEvent(_ count: Int) async -> Double {
        await fill(count / 10)
        let before = Meter.residentBytes
        await fill(count)
        return Double(Meter.residentBytes - before) / Double(count)
    }

    private func fill(_ count: Int) async {
        for _ in 0..<count / 1000 {
            await onThread { _ = self.track(1000) }
            // Sends nothing where the emitter is paused, but stores what is in the queue.
            await tracker.flush(timeout: .seconds(60))
        }
    }
}

/// Does the same on several threads at once.
/// - Parameters:
///   - threads: How many.
///   - prepare: Called on each thread before they are released; returns what the thread does then.
/// - Returns: The seconds from the moment that all are released until the last is done.
package func inParallel(threads: Int, _ prepare: @escaping @Sendable () -> () -> Void) async -> Double {
    let gate = Gate(threads)
    let ends = await withTaskGroup(of: UInt64.self) { group in
        for _ in 0..<threads {
            group.addTask {
                await onThread {
                    let work = prepare()
                    gate.wait()
                    work()
                    return Meter.nanoseconds
                }
            }
        }
        return await group.reduce(0) { max($0, $1) }
    }
    return Double(ends - gate.opened) / 1e9
}

extension [UInt64] {
    /// The value below which a part of all values are; the values must be sorted.
    package func percentile(_ part: Double) -> UInt64 {
        self[Swift.min(count - 1, Int(Double(count) * part))]
    }

    package var mean: Double { Double(reduce(0, +)) / Double(count) }
}

extension [Double] {
    /// The one in the middle.
    package var median: Double { sorted()[count / 2] }
}
