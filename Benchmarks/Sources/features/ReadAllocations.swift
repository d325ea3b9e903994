import CAllocations
import ConfigurationWorkload
import TrackerConfig
import Workload

/// What reads and evaluations allocate.
enum ReadAllocations {
    static func measure(reads: Int) async throws {
        let service = try await LargeDocument.service()
        for reading in Reading.all(of: service.setup) {
            let allocations = await onThread {
                func allocations(_ times: Int) -> Int {
                    let before = allocations_of_thread().allocations
                    _ = reading.read(times)
                    return allocations_of_thread().allocations - before
                }
                // The first ones make what is kept. Binding a request allocates once for all reads.
                _ = reading.read(2000)
                return allocations(reads + 1) - allocations(1)
            }
            try Figure("\(reading.name)_allocations", Double(allocations) / Double(reads), "per read").print()
            if ["bool_by_handle", Reading.ofOneRule].contains(reading.name), allocations > 0 {
                throw BenchmarkError("\(reading.name) allocates")
            }
        }
        await service.end()
    }
}
