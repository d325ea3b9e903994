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
                // The first ones make what is kept.
                _ = reading.read(2000)
                let before = allocations_of_thread().allocations
                _ = reading.read(reads)
                return allocations_of_thread().allocations - before
            }
            try Figure("\(reading.name)_allocations", Double(allocations) / Double(reads), "per read").print()
            if reading.name == "bool_by_handle", allocations > 0 {
                throw BenchmarkError("a Bool read by its handle allocates")
            }
        }
        await service.end()
    }
}
