import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerCore
import TrackerTesting

/// A name of the document in place of its URL.
@Suite("RemoteConfiguration.cacheKey", .endsWhenItHangs)
struct CacheKeyTests {
    private let service = Service()

    private func start(token: Int, key: String? = "trackers", configure: (inout SetupOptions) -> Void = { _ in })
        async throws -> Setup
    {
        let setup = try await service.started(
            "https://config.example/trackers.json?token=\(token)", configure: configure
        ) {
            $0.cacheKey = key
        }
        return setup
    }

    private func cachedDocuments() throws -> [String] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: service.cacheDirectory)
        return names.filter { $0.hasSuffix(".cache") }
    }

    @Test("a rotated signature keeps the cached document and its validators")
    func rotated() async throws {
        service.serve(
            DocumentText.document(5, DocumentText.bundle()), headers: [HTTPHeader(name: "ETag", value: "five")])
        await (try start(token: 1)).shutdown(timeout: .seconds(5))
        let before = try cachedDocuments()
        service.serve(status: 304)
        let setup = try await start(token: 2)
        #expect(service.trace.suffix(2) == [#"cached 5 ["a"]"#, "notModified"])
        #expect(service.fetches.last?.url == "https://config.example/trackers.json?token=2")
        #expect(service.fetches.last?.headers.contains(HTTPHeader(name: "If-None-Match", value: "five")) == true)
        #expect(setup.status.document.source == "https://config.example/trackers.json?token=***")
        await setup.shutdown(timeout: .seconds(5))
        #expect(try cachedDocuments() == before)
    }

    @Test("without it, another signature is another document")
    func none() async throws {
        service.serve(DocumentText.document(5, DocumentText.bundle()))
        await (try start(token: 1, key: nil)).shutdown(timeout: .seconds(5))
        service.serve(status: 404)
        await (try start(token: 2, key: nil)).shutdown(timeout: .seconds(5))
        #expect(!service.trace.contains { $0.hasPrefix("cached") })
    }

    @Test("a cache of the service's own gets it, for each user with their id")
    func users() async throws {
        let cache = MemoryCache()
        let url = "https://config.example/{user}.json?token="
        for (version, user) in [nil, "ann", "b/ob"].enumerated() {
            service.serve(DocumentText.document(version, DocumentText.bundle()))
            let setup = try await service.started("\(url)\(version)", configure: { $0.cache = cache }) {
                $0.cacheKey = "shop"
                $0.user = user
            }
            await setup.shutdown(timeout: .seconds(5))
        }
        for (version, key) in ["shop", "shop/ann", "shop/b%2Fob"].enumerated() {
            let entries = cache.entries(for: key)
            #expect(entries.map(\.version) == [version])
            #expect(entries.map(\.url) == [key])
        }
        service.serve(status: 404)
        let setup = try service.start("\(url)9", configure: { $0.cache = cache }) {
            $0.cacheKey = "shop"
            $0.user = "ann"
        }
        #expect(service.trace.last == #"cached 1 ["a"]"#)
        await service.settled()
        await setup.shutdown(timeout: .seconds(5))
    }

    /// What of a service's files is named by the document's URL, with the reason. Such a file is lost to the service when the
    /// URL changes, as by a rotated signature, so whoever adds one has to say why that is right.
    private static let named = [
        "cache/URL.cache": "the document with its validators is of that URL; cacheKey keeps it",
        "cache/URL.cache.lock": "the lock of that file",
        "state/configuration-URL.versions.json": "versions are compared per URL; cacheKey keeps them",
        "state/configuration-URL.versions.json.lock": "the lock of that file",
        "state/configuration-URL.watch-N": "a version is counted as crashing for the URL that it came from",
        "cache/URL.user": "the mark of a user, whose document has a URL of its own",
        "state/configuration-URL.user": "the mark of a user, whose document has a URL of its own",
    ]

    @Test("no other file of a service depends on the URL of its document")
    func files() async throws {
        let url = "https://config.example/{user}.json?token=1"
        let users = ["", "ann"].map { url.replacing("{user}", with: $0) }
        let hashes = (users + [url]).map { text in
            var hash = StableHash()
            hash.combine(text.utf8)
            return hash.hex
        }
        let experiment = #"{"id":"e","sticky":true,"variants":[{"name":"a"},{"name":"b"}]}"#
        service.serve(DocumentText.document(1, DocumentText.bundle(), more: #","experiments":[\#(experiment)]"#))
        service.collector("collector.example", answers: 400)
        let setup = try await service.started(
            url,
            configure: {
                $0.deadLetters = .file()
                $0.features.overridesFile = service.directory.file("state/overrides.json")
            }
        ) {
            $0.user = "ann"
        }
        _ = setup.experiments.variant(of: "e", default: "-", for: FeatureContext(userID: "u"))
        try setup.features.overrides.set(8, for: "f", variable: "v")
        _ = try await setup.tracker("a")?.trackCommitted(Structured(category: "c", action: "a"))
        await setup.tracker("a")?.flush(timeout: .seconds(5))
        _ = await setup.experiments.flush(timeout: .seconds(60))
        let paths = try FileManager.default.subpathsOfDirectory(atPath: service.directory.path)
        #expect(paths.contains("state/assignments.sqlite"))
        let found = paths.filter { path in hashes.contains { path.contains($0) } }.map { path in
            hashes.reduce(path) { $0.replacing($1, with: "URL") }.replacing(#/watch-.*/#, with: "watch-N")
        }
        for name in Set(found) { #expect(Self.named[name] != nil, "\(name) depends on the URL") }
        #expect(found.contains("cache/URL.cache"))
        #expect(found.contains("state/configuration-URL.watch-N"))
        await setup.shutdown(timeout: .seconds(5))
    }
}
