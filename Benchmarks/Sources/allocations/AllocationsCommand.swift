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
    }

    private static func measure(_ store: Rig.Store, _ events: Int) async throws {
        let sink = try SinkProcess()
        let rig = try Rig(store, collector: sink.url)
        // Twice what is measured, so that lists and tables have grown as far as they will.
        for _ in 0..<2 { _ = try await rig.deliver(events) }
        let before = allocations_of_process()
        let caller = await onThread {
            let event = Order.event()
            let entities = [Order.entity()]
            let before = allocations_of_thread()
            for _ in 0..<events { rig.tracker.track(event, entities: entities) }
            return allocations_of_thread().minus(before)
        }
        try await rig.drain()
        let process = allocations_of_process().minus(before)
        func print(_ name: String, _ value: Double, _ unit: String) throws {
            try Figure(name, value / Double(events), unit, store: store, events: events).print()
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
