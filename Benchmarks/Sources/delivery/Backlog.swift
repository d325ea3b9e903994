import Foundation
import Synchronization
import TrackerCore
import Workload

/// Events that an earlier process left: how soon the first is sent, and how fast all are.
enum Backlog {
    static func measure(_ events: Int, _ batch: Int?, _ collector: String) async throws {
        let directory = try Rig.makeDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try await leave(events, in: directory)
        let transport = FirstSend()
        let start = Meter.nanoseconds
        let rig = try Rig(.durable, collector: collector, batch: batch, transport: transport, in: directory)
        await rig.tracker.flush(timeout: .seconds(600))
        let end = Meter.nanoseconds
        let counters = rig.tracker.counters
        guard counters.stored == 0, counters.sent == events else {
            throw BenchmarkError("not all events were sent: \(counters)")
        }
        func print(_ name: String, _ value: Double, _ unit: String) throws {
            try Figure(name, value, unit, store: .durable, events: events, batch: batch ?? 500).print()
        }
        try print("backlog_until_first_send", Double(transport.time - start) / 1e6, "ms")
        try print("backlog_drained", Double(events) / (Double(end - start) / 1e9), "events/s")
        await rig.pipeline.shutdown()
    }

    /// Stores events that nothing sends.
    private static func leave(_ events: Int, in directory: String) async throws {
        let rig = try Rig(.durable, collector: "http://127.0.0.1:1", isSending: false, in: directory)
        _ = await onThread { rig.track(events) }
        // Sends nothing, because the emitter is paused, but stores what is in the queue.
        await rig.tracker.flush(timeout: .seconds(600))
        guard rig.tracker.counters.stored == events else {
            throw BenchmarkError("not all events were stored: \(rig.tracker.counters)")
        }
        await rig.pipeline.shutdown(timeout: .zero)
    }

    /// Notes when the first request is sent.
    private final class FirstSend: HTTPTransport {
        private let transport = CurlTransport()
        private let first = Atomic<UInt64>(0)

        /// When, in nanoseconds.
        var time: UInt64 { first.load(ordering: .sequentiallyConsistent) }

        func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
            _ = first.compareExchange(expected: 0, desired: Meter.nanoseconds, ordering: .sequentiallyConsistent)
            return try await transport.send(request)
        }
    }
}
