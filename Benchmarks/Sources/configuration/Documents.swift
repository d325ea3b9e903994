import ConfigurationWorkload
import TrackerConfig
import Workload

/// Documents, decoded alone and applied through a refresh.
enum Documents {
    private struct Kind {
        let name: String
        let text: @Sendable (_ version: Int) -> [UInt8]
    }

    private static let kinds = kinds(bytes: 10_000, "10 KB") + kinds(bytes: 1_000_000, "1 MB")

    private static func kinds(bytes: Int, _ size: String) -> [Kind] {
        let (rules, experiments) = (bytes / 1_000, bytes / 2_000)
        return [
            Kind(name: "\(size) mixed") { DocumentText.mixed(version: $0, bytes: bytes) },
            Kind(name: "\(size) of namespaces") { DocumentText.namespaces(version: $0, bytes: bytes) },
            Kind(name: "\(size) of \(rules) rules and \(experiments) experiments") {
                self.rules(version: $0, bytes: bytes)
            },
        ]
    }

    private static func rules(version: Int, bytes: Int) -> [UInt8] {
        DocumentText.rules(version: version, rules: bytes / 1000, experiments: bytes / 2000, bytes: bytes)
    }

    static func measure(samples: Int) async throws {
        for kind in kinds {
            let text = kind.text(1)
            let document = try Document(text)
            try Figure("trackers", Double(document.bundles.count), "", of: kind.name).print()
            let decoded = try (0..<samples).map { _ in try decodeTime(text) }
            try Figure("decoded", decoded.median, "ms", of: kind.name).print()
            for cache in Service.Cache.allCases { try await apply(kind, cache, samples) }
        }
    }

    /// A large document of rules and experiments, from the call of `refresh` until it is in effect.
    static func measureRules(samples: Int) async throws {
        let name = "1 MB of 1000 rules and 500 experiments"
        for cache in Service.Cache.allCases {
            let service = try await Service(cache)
            try await service.apply(rules(version: 1, bytes: 1_000_000))
            var times: [Double] = []
            for version in 2..<samples + 2 {
                times.append(try await service.apply(rules(version: version, bytes: 1_000_000)))
                await service.settle()
            }
            try Figure("decoded_and_swapped", times.median, "ms", of: "\(name), \(cache) cache").print()
            await service.end()
        }
    }

    /// The first document of a service makes all its trackers; the next ones change them all.
    private static func apply(_ kind: Kind, _ cache: Service.Cache, _ samples: Int) async throws {
        var (first, changed): ([Double], [Double]) = ([], [])
        for _ in 0..<samples {
            let service = try await Service(cache)
            first.append(try await service.apply(kind.text(1)))
            await service.settle()
            changed.append(try await service.apply(kind.text(2)))
            await service.settle()
            await service.end()
        }
        let of = "\(kind.name), \(cache) cache"
        try Figure("applied_trackers_made", first.median, "ms", of: of).print()
        try Figure("applied_trackers_changed", changed.median, "ms", of: of).print()
    }

    private static func decodeTime(_ text: [UInt8]) throws -> Double {
        let start = Meter.nanoseconds
        _ = try Document(text)
        return Double(Meter.nanoseconds - start) / 1e6
    }

    static func decode(_ options: Options) throws {
        let text = try text(options, version: 1)
        let times = try options.number("times") ?? 1
        for _ in 0..<times {
            try Figure("decoded", try decodeTime(text), "ms", of: "\(text.count) bytes").print()
        }
        try Figure("decoded_in_all", Double(text.count * times), "bytes").print()
    }

    static func apply(_ options: Options) async throws {
        let service = try await Service(options.text("cache").flatMap { Service.Cache(rawValue: $0) } ?? .memory)
        let times = try options.number("times") ?? 1
        for version in 1...times {
            let text = try text(options, version: version)
            try Figure("applied", try await service.apply(text), "ms", of: "\(text.count) bytes").print()
            await service.settle()
        }
        try Figure("applied_in_all", Double(service.setup.namespaces.count * times), "trackers").print()
        await service.end()
    }

    private static func text(_ options: Options, version: Int) throws -> [UInt8] {
        let bytes = try options.number("bytes") ?? 1_000_000
        switch options.text("document") ?? "mixed" {
        case "mixed": return DocumentText.mixed(version: version, bytes: bytes)
        case "namespaces": return DocumentText.namespaces(version: version, bytes: bytes)
        case "rules": return rules(version: version, bytes: bytes)
        case let word: throw BenchmarkError("no document \(word)")
        }
    }
}
