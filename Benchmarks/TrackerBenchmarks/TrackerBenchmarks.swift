import Benchmark
import HTTPSink
import Synchronization
import TrackerCore
import Workload

/// A tracker that is made where it is first needed, with a sink in another process.
private final class Bench: Sendable {
    struct Parts: Sendable {
        let rig: Rig
        let sink: SinkProcess?
    }

    private let parts = Mutex<Parts?>(nil)
    private let make: @Sendable () throws -> Parts

    init(_ store: Rig.Store, batch: Int? = nil, isSending: Bool = true) {
        make = {
            let sink = isSending ? try SinkProcess() : nil
            let collector = sink?.url ?? "http://127.0.0.1:1"
            return Parts(rig: try Rig(store, collector: collector, batch: batch, isSending: isSending), sink: sink)
        }
    }

    /// The tracker.
    var rig: Rig {
        get throws {
            try parts.withLock { parts in
                let made = try parts ?? make()
                parts = made
                return made.rig
            }
        }
    }

    func end() async {
        await parts.withLock { $0?.rig.pipeline }?.shutdown(timeout: .zero)
        parts.withLock { $0 = nil }
    }
}

private let callTime = BenchmarkMetric.custom("track() ns", polarity: .prefersSmaller, useScalingFactor: false)
private let rate = BenchmarkMetric.custom("events/s", polarity: .prefersLarger, useScalingFactor: false)
private let cpu = BenchmarkMetric.custom("CPU ms/100k", polarity: .prefersSmaller, useScalingFactor: false)
private let memory = BenchmarkMetric.custom("bytes per event", polarity: .prefersSmaller, useScalingFactor: false)
private let beyond = BenchmarkMetric.custom("bytes beyond its row", polarity: .prefersSmaller, useScalingFactor: false)

let benchmarks: @Sendable () -> Void = {
    SinkProcess.serveIfAsked()
    for store in [Rig.Store.memory, .durable] {
        trackInBursts(store)
        trackCallByCall(store)
        trackFromTwoThreads(store)
        deliver(store, batch: 100)
        deliver(store, batch: 500)
        queue(store)
    }
}

/// Bursts of a thousand calls, each sent before the next begins: the mean of a burst is one sample.
private func trackInBursts(_ store: Rig.Store) {
    let bench = Bench(store)
    let configuration = Benchmark.Configuration(
        metrics: [.wallClock, .throughput], warmupIterations: 5, scalingFactor: .kilo, maxDuration: .seconds(3))
    Benchmark("track(), \(store)", configuration: configuration) { benchmark in
        let rig = try bench.rig
        nonisolated(unsafe) let benchmark = benchmark
        await onThread {
            let event = Order.event()
            let entities = [Order.entity()]
            benchmark.startMeasurement()
            for _ in benchmark.scaledIterations { blackHole(rig.tracker.track(event, entities: entities)) }
            benchmark.stopMeasurement()
        }
        try await rig.drain()
    } teardown: {
        await bench.end()
    }
    let second = Bench(store)
    Benchmark("track() with the event built, \(store)", configuration: configuration) { benchmark in
        let rig = try second.rig
        nonisolated(unsafe) let benchmark = benchmark
        await onThread {
            benchmark.startMeasurement()
            for _ in benchmark.scaledIterations {
                blackHole(rig.tracker.track(Order.event(), entities: [Order.entity()]))
            }
            benchmark.stopMeasurement()
        }
        try await rig.drain()
    } teardown: {
        await second.end()
    }
}

/// Every call's time goes into the histogram of a metric, so that the table shows the percentiles of calls.
private func trackCallByCall(_ store: Rig.Store) {
    let bench = Bench(store)
    Benchmark(
        "track() call by call, \(store)",
        configuration: .init(metrics: [callTime], warmupIterations: 1, maxDuration: .seconds(3))
    ) { benchmark in
        let rig = try bench.rig
        for time in await rig.callTimes(10_000) { benchmark.measurement(callTime, Int(time)) }
        try await rig.drain()
    } teardown: {
        await bench.end()
    }
}

private func trackFromTwoThreads(_ store: Rig.Store) {
    let bench = Bench(store)
    Benchmark(
        "track() from two threads, \(store)",
        configuration: .init(metrics: [rate], warmupIterations: 1, maxDuration: .seconds(5))
    ) { benchmark in
        let rig = try bench.rig
        let seconds = try await rig.trackInParallel(threads: 2, each: 50_000)
        benchmark.measurement(rate, Int(100_000 / seconds))
        try await rig.drain()
    } teardown: {
        await bench.end()
    }
}

private func deliver(_ store: Rig.Store, batch: Int) {
    let bench = Bench(store, batch: batch)
    Benchmark(
        "delivery until drained, \(store), \(batch) events a request",
        configuration: .init(metrics: [rate, cpu, .peakMemoryResident], warmupIterations: 1, maxDuration: .seconds(10))
    ) { benchmark in
        let delivery = try await bench.rig.deliver(100_000)
        benchmark.measurement(rate, Int(100_000 / delivery.seconds))
        benchmark.measurement(cpu, Int(delivery.cpuSeconds * 1000))
    } teardown: {
        await bench.end()
    }
}

/// One sample: the process must be fresh.
private func queue(_ store: Rig.Store) {
    let bench = Bench(store, isSending: false)
    Benchmark(
        "memory per queued event, \(store)",
        configuration: .init(
            metrics: store == .memory ? [memory, beyond] : [memory], warmupIterations: 0, maxDuration: .seconds(30),
            maxIterations: 1)
    ) { benchmark in
        let size = try await RowSize()
        let bytes = try await bench.rig.memoryPerQueuedEvent(100_000)
        benchmark.measurement(memory, max(0, Int(bytes)))
        // An event that waits in a file has its row there.
        if store == .memory { benchmark.measurement(beyond, max(0, Int(bytes) - size.stored)) }
    } teardown: {
        await bench.end()
    }
}
