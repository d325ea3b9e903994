import ConfigurationWorkload
import TrackerConfig
import Workload

/// The time of reads and evaluations.
enum ReadTimes {
    private static let threads = 2
    /// First assignments of one sample; all samples together must not fill the queue before the store.
    private static let firstAssignments = 2000

    static func measure(samples: Int, reads: Int) async throws {
        let service = try await LargeDocument.service()
        let readings = Reading.all(of: service.setup)
        try await prepare(readings)
        for reading in readings {
            let one = try await onThread { Result { try (0..<samples).map { _ in try reading.time(reads) } } }.get()
            try report(reading.name, one)
            var both: [Double] = []
            for _ in 0..<samples { both.append(try await parallel(reading, reads)) }
            try report("\(reading.name)_by_2_threads", both)
            try Figure("\(reading.name)_2_threads_to_1", both.median / one.median, "").print()
        }
        try await first(service.setup, samples)
        await service.end()
    }

    /// Nothing but one kind of reads, by ``Reading/run(_:)``; with the large document only if they are of it.
    static func readOnly(_ name: String, _ reads: Int) async throws {
        if let reading = Reading.rules().first(where: { $0.name == name }) { return try await readOnly(reading, reads) }
        let service = try await LargeDocument.service()
        let readings = Reading.all(of: service.setup)
        guard let reading = readings.first(where: { $0.name == name }) else {
            throw BenchmarkError("--of is one of \(readings.map(\.name).joined(separator: ", "))")
        }
        try await readOnly(reading, reads)
        await service.end()
    }

    private static func readOnly(_ reading: Reading, _ reads: Int) async throws {
        try await prepare([reading])
        try Figure(reading.name, try await onThread { Result { try reading.time(reads) } }.get(), "ns").print()
    }

    /// Lets everything be stored that the first read of a unit stores.
    private static func prepare(_ readings: [Reading]) async throws {
        await onThread {
            // The first answers of a sticky experiment are not from its store.
            for reading in readings { _ = reading.read(2000) }
        }
        try await Task.sleep(for: .milliseconds(100))
    }

    /// The nanoseconds of a read of each of two threads.
    private static func parallel(_ reading: Reading, _ reads: Int) async throws -> Double {
        let gate = Gate(threads)
        return try await withThrowingTaskGroup(of: Double.self) { group in
            for _ in 0..<threads {
                group.addTask {
                    try await onThread {
                        gate.wait()
                        return Result { try reading.time(reads) }
                    }.get()
                }
            }
            return try await group.reduce(0) { $0 + $1 / Double(threads) }
        }
    }

    /// Units that a sticky experiment has never seen, which it looks for on the disk.
    private static func first(_ setup: Setup, _ samples: Int) async throws {
        let times = await onThread {
            (0..<samples).map { sample in
                let contexts = (0..<firstAssignments).map { FeatureContext(userID: "first-\(sample)-\($0)") }
                let start = Meter.nanoseconds
                for context in contexts {
                    _ = setup.experiments.variant(of: "experiment_7", default: "control", for: context)
                }
                return Double(Meter.nanoseconds - start) / Double(firstAssignments)
            }
        }
        let assignments = setup.metrics.filter { $0.name == "experiment_assignments_total" }
        let lost = assignments.first { $0.labels.contains { $0.value == "lost" } }?.value
        guard lost == 0 else { throw BenchmarkError("assignments were not stored: \(assignments)") }
        try report("sticky_first_assignment", times)
    }

    private static func report(_ name: String, _ nanoseconds: [Double]) throws {
        try Figure(name, nanoseconds.median, "ns").print()
        try Figure("\(name)_best", nanoseconds.min() ?? 0, "ns").print()
    }
}
