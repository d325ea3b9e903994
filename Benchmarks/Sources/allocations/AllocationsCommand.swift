import CAllocations
import HTTPSink
import TrackerCore
import Workload

/// Counts the allocations of an event: on the thread that tracks, in the whole process, and those that stay.
@main
enum AllocationsCommand {
    static func main() async throws {
        SinkProcess.serveIfAsked()
        let options = try Options(CommandLine.arguments.dropFirst())
        let events = try options.number("events") ?? 20_000
        for store in [Rig.Store.memory, .durable] { try await measure(store, events) }
        let subject = EventSubject(
            userID: "u-77120493", domainUserID: "9c65e7f3-8e8e-470d-b243-910b5b300da0",
            domainSessionID: "6b7a0d1f-8e2e-4f0c-9f0b-0a4b3a3c2d1e", ipAddress: "203.0.113.7", language: "en-GB")
        try await measure(.memory, events, TrackingContext(subject: subject))
    }

    private static func measure(_ store: Rig.Store, _ events: Int, _ context: TrackingContext? = nil) async throws {
        let sink = try SinkProcess()
        let rig = try Rig(store, collector: sink.url)
        // Twice what is measured, so that lists and tables have grown as far as they will.
        for _ in 0..<2 { _ = try await rig.deliver(events) }
        let before = allocations_of_process()
        let caller = await onThread {
            let event = Order.event()
            let entities = [Order.entity()]
            let before = allocations_of_thread()
            withTrackingContext(context) {
                for _ in 0..<events { rig.tracker.track(event, entities: entities) }
            }
            return allocations_of_thread().minus(before)
        }
        try await rig.drain()
        let process = allocations_of_process().minus(before)
        func print(_ name: String, _ value: Double, _ unit: String) throws {
            try Figure(
                name, value / Double(events), unit, store: store, events: events, of: context.map { _ in "bound" }
            ).print()
        }
        try print("track_allocations", Double(caller.allocations), "per event")
        try print("track_allocated_bytes", Double(caller.bytes), "bytes per event")
        try print("process_allocations", Double(process.allocations), "per event")
        try print("allocations_kept_after_delivery", Double(process.allocations - process.frees), "per event")
        await rig.pipeline.shutdown()
        withExtendedLifetime(sink) {}
    }
}

extension allocation_counts {
    fileprivate func minus(_ other: allocation_counts) -> allocation_counts {
        allocation_counts(
            allocations: allocations - other.allocations, frees: frees - other.frees, bytes: bytes - other.bytes)
    }
}
