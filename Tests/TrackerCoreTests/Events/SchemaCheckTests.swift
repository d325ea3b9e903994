import Foundation
import TestSupport
import Testing
import TrackerCore

/// The collector of the shared tools, where they are beside the checkout; it checks events against the Iglu schemas.
private struct Micro: ~Copyable {
    static let script = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../../shared/tools/micro.py").standardized.path

    private let process = Process()
    let url: String

    init() throws {
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", Self.script]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        url = try #require(line.split(whereSeparator: \.isWhitespace).last.map(String.init))
    }

    deinit {
        process.terminate()
    }

    func get(_ path: String) async throws -> JSONValue {
        let answer = try await CurlTransport().send(
            HTTPRequest(method: "GET", url: url + path, maximumResponseSize: 10_000_000))
        return try JSONReader.read(answer.body).value
    }
}

@Suite("events against the Iglu schemas", .timeLimit(.minutes(2)))
struct SchemaCheckTests {
    static let isCollectorHere = FileManager.default.fileExists(atPath: Micro.script)

    @Test(
        "every event and entity is good, by GET and POST, base64 compressed and plain",
        .enabled(if: isCollectorHere, "the shared collector is not beside the checkout"),
        arguments: [CollectorMethod.get, .post], [true, false])
    func isGood(method: CollectorMethod, isBase64: Bool) async throws {
        let micro = try Micro()
        let pipeline = EventPipeline(stateDirectory: nil)
        let tracker = try Tracker(
            ConfigurationBundle(
                namespace: "corpus",
                network: NetworkConfiguration {
                    $0.endpoint = micro.url
                    $0.method = method
                    $0.compression = isBase64
                },
                tracker: TrackerConfiguration {
                    $0.base64encoding = isBase64
                    $0.sessionContext = true
                    $0.platformContext = true
                    $0.applicationContext = true
                    $0.applicationVersion = "1.2.3"
                    $0.geoLocationContext = true
                    $0.screenContext = true
                },
                subject: SubjectConfiguration {
                    $0.location = GeoLocation(latitude: 46.95, longitude: 7.44)
                    $0.screenResolution = PixelSize(width: 1920, height: 1080)
                    $0.colorDepth = 24
                }),
            pipeline: pipeline)
        let events =
            try EventCorpus.events() + [
                Structured(category: "c", action: "a", label: "l", property: "p", value: -1.5),
                PageView(url: "https://example.com", title: "t", referrer: "https://example.org"),
                ScreenView(name: "one"), ScreenView(name: "two", type: "feed", transitionType: "push"),
                Timing(category: "c", variable: "v", timing: 1.5, label: "l"),
            ]
        for event in events { #expect(tracker.track(event) != nil) }
        let report = await tracker.flush(timeout: .seconds(60))
        #expect(report.sent == events.count)
        await pipeline.shutdown()
        let bad = try await micro.get("/micro/bad").array ?? []
        let faults = bad.flatMap { $0["errors"]?.array ?? [] }.compactMap(\.string)
            // The collector checks "multiple of 0.01" in binary, where 19.99 is none; EventCorpus has such amounts.
            .filter { !$0.contains("is not a multiple of 0.01") }
        #expect(faults == [])
        let counts = try await micro.get("/micro/all")
        #expect(counts["total"]?.int == events.count)
    }
}
