import ConfigurationWorkload
import Foundation
@_spi(Tools) import TrackerConfig
import TrackerFeatures
import Workload

/// One document of many namespaces.
enum ManyNamespaces {
    private static let samples = 9

    static func measure(count: Int) async throws {
        let subject = "\(count) namespaces"
        try await memory(count, subject)
        try await changes(count, subject)
        try await start(count, subject)
    }

    /// A service that has them from a cached document, against one with a single one.
    private static func memory(_ count: Int, _ subject: String) async throws {
        let service = try await Service(.memory)
        try await service.apply(DocumentText.namespaces(version: 1, count: 1, changing: 1))
        await service.settle()
        let before = Meter.residentBytes
        try await service.apply(DocumentText.namespaces(version: 2, count: count, changing: count))
        await service.settle()
        let bytes = Double(Meter.residentBytes - before) / Double(count - 1)
        try Figure("memory_per_namespace", bytes / 1000, "KB", of: subject).print()
        await service.end()
    }

    private static func changes(_ count: Int, _ subject: String) async throws {
        for (name, changing) in [("change_of_none", 0), ("change_of_one", 1), ("change_of_all", count)] {
            let service = try await Service(.memory)
            var (times, decodeTimes): ([Double], [Double]) = ([], [])
            for version in 1...samples + 1 {
                let text = DocumentText.namespaces(version: version, count: count, changing: changing)
                let start = Meter.nanoseconds
                _ = try Document(text)
                decodeTimes.append(Double(Meter.nanoseconds - start) / 1e6)
                times.append(try await service.apply(text))
                await service.settle()
            }
            // The first one makes the trackers.
            let time = Array(times.dropFirst()).median
            try Figure(name, time, "ms", of: subject).print()
            try Figure("\(name)_without_decoding", time - decodeTimes.median, "ms", of: subject).print()
            await service.end()
        }
    }

    private static func start(_ count: Int, _ subject: String) async throws {
        let directory = try Rig.makeDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let text = DocumentText.namespaces(version: 2, count: count, changing: count)
        let entry = CacheEntry(
            url: Service.url, version: 2, document: text, validators: DocumentValidators(), fetchTime: Date())
        try Internals.diskCache(directory: "\(directory)/cache").update(Service.url) { _ in [entry] }
        var times: [Double] = []
        for _ in 0..<samples {
            let options = Service.options(in: directory, MemorySource())
            let start = Meter.nanoseconds
            let setup = try Setup(remote: RemoteConfiguration(endpoint: Service.url), options: options)
            let event = Structured(category: "cart", action: "add")
            guard setup.tracker("service-\(count - 1)")?.track(event) != nil else {
                throw BenchmarkError("the trackers cannot be used")
            }
            times.append(Double(Meter.nanoseconds - start) / 1e6)
        }
        try Figure("start_until_tracked", times.median, "ms", of: subject).print()
    }
}
