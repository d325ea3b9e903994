import ConfigurationWorkload
import Foundation
import TrackerConfig
import Workload

/// A document of 10,000 variables and 500 experiments, which comes into effect while readers go on.
enum LargeDocument {
    /// What one reader noticed.
    private struct Pauses: Sendable {
        var reads = 0
        /// More than 20 µs.
        var long = 0
        var longest: UInt64 = 0
    }

    private static let features = 1000
    private static let experiments = 500

    /// A service that has such a document.
    static func service() async throws -> Service {
        let service = try await Service(.memory)
        try await service.apply(text(1))
        return service
    }

    static func measure(samples: Int) async throws {
        let subject = "\(features * DocumentText.variablesPerFeature) variables, \(experiments) experiments"
        try Figure("size", Double(text(1).count) / 1000, "KB", of: subject).print()
        let decoded = try (0..<samples).map { _ in
            let bytes = text(1)
            let start = Meter.nanoseconds
            _ = try Document(bytes)
            return Double(Meter.nanoseconds - start) / 1e6
        }
        try Figure("decoded", decoded.median, "ms", of: subject).print()
        for cache in Service.Cache.allCases {
            try await swap(samples, decoded.median, cache, "\(subject), \(cache) cache")
        }
    }

    private static func swap(
        _ samples: Int, _ decoding: Double, _ cache: Service.Cache, _ subject: String
    ) async throws {
        let service = try await Service(cache)
        try await service.apply(text(1))
        await service.settle()
        let quiet = try await pauses(of: service.setup.features) { try await Task.sleep(for: .milliseconds(300)) }
        try report(quiet, "\(subject), nothing swapped")
        var times: [Double] = []
        let busy = try await pauses(of: service.setup.features) {
            for version in 2..<samples + 2 {
                let text = text(version)
                times.append(try await service.apply(text))
                let seconds = service.setup.features.value("feature_3", variable: "timeoutSeconds", default: -1)
                guard seconds == version % 100 else { throw BenchmarkError("the document is not in effect") }
            }
        }
        try Figure("decoded_and_swapped", times.median, "ms", of: subject).print()
        try Figure("swapped", times.median - decoding, "ms", of: subject).print()
        try report(busy, "\(subject), swapped \(samples) times")
        try await firstReads(service, from: samples + 2, samples, subject)
        await service.end()
    }

    /// The first reads by a handle after each change: of a variable with another value, and of one that stays as it is.
    private static func firstReads(
        _ service: Service, from version: Int, _ samples: Int, _ subject: String
    ) async throws {
        let features = service.setup.features
        let number = Variable(features, "feature_3", variable: "timeoutSeconds", default: -1)
        let flag = Variable(features, "feature_3", variable: "isEnabled", default: false)
        let stop = Stop()
        let reader = Task {
            await onThread {
                var (changed, unchanged): ([UInt64], [UInt64]) = ([], [])
                var last = number.value
                while !stop.isOver {
                    let start = Meter.nanoseconds
                    _ = flag.value
                    let middle = Meter.nanoseconds
                    let value = number.value
                    let end = Meter.nanoseconds
                    guard value != last else { continue }
                    last = value
                    changed.append(end - middle)
                    unchanged.append(middle - start)
                }
                return (changed: changed, unchanged: unchanged)
            }
        }
        do {
            defer { stop.end() }
            for version in version..<version + samples { try await service.apply(text(version)) }
        }
        let times = await reader.value
        guard !times.changed.isEmpty else { throw BenchmarkError("the handle noticed no change") }
        for (name, times) in [("changed", times.changed), ("unchanged", times.unchanged)] {
            let sorted = times.sorted()
            let subject = "\(subject), a variable that is \(name)"
            try Figure("first_read_by_handle", Double(sorted.percentile(0.5)) / 1000, "us", of: subject).print()
            try Figure("first_read_by_handle_longest", Double(sorted.last ?? 0) / 1000, "us", of: subject).print()
        }
    }

    private static func text(_ version: Int) -> [UInt8] {
        DocumentText.features(version: version, features: features, experiments: experiments)
    }

    private static func report(_ pauses: Pauses, _ subject: String) throws {
        try Figure("reads", Double(pauses.reads), "", of: subject).print()
        try Figure("reads_longer_than_20_us", Double(pauses.long), "", of: subject).print()
        try Figure("read_longest", Double(pauses.longest) / 1000, "us", of: subject).print()
    }

    /// What a thread that reads by names without an end notices while `body` runs.
    private static func pauses(of features: Features, during body: () async throws -> Void) async throws -> Pauses {
        let stop = Stop()
        let reader = Task {
            await onThread {
                var pauses = Pauses()
                while !stop.isOver {
                    let start = Meter.nanoseconds
                    let value = features.value("feature_3", variable: "isEnabled", default: false)
                    let time = Meter.nanoseconds - start
                    guard value else { break }
                    pauses.reads += 1
                    pauses.longest = max(pauses.longest, time)
                    if time > 20_000 { pauses.long += 1 }
                }
                return pauses
            }
        }
        do {
            defer { stop.end() }
            try await body()
        }
        let pauses = await reader.value
        guard pauses.reads > 0 else { throw BenchmarkError("the variable was not there") }
        return pauses
    }
}
