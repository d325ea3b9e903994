import Foundation
import TestSupport
import Testing
import TrackerCore
import TrackerTesting

@Suite("Gzip", .endsWhenItHangs, .mayBlock)
struct GzipTests {
    /// Decompresses by the system's own tool.
    private func gunzip(_ bytes: [UInt8]) throws -> [UInt8] {
        let directory = TemporaryDirectory()
        try Data(bytes).write(to: URL(filePath: directory.file("a.gz")))
        #expect(try ChildProcess("gzip", "-d", directory.file("a.gz")).wait())
        return Array(try Data(contentsOf: URL(filePath: directory.file("a"))))
    }

    @Test("what is compressed comes back, whatever its size", arguments: [0, 100, 70_000])
    func comesBack(size: Int) throws {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }
        let compressed = try #require(Gzip.compress(bytes))
        #expect(try gunzip(compressed) == bytes)
    }

    @Test("a tracker compresses its bodies where the settings say so, and says so itself")
    func tracks() async throws {
        let rig = Rig()
        let tracker = try await rig.idleTracker { $0.network?.compression = true }
        tracker.track(1...50)
        _ = await tracker.settledCounters()
        tracker.emitter.resume()
        await tracker.flush()
        let request = try #require(rig.transport.requests.first)
        #expect(request.header("Content-Encoding") == "gzip")
        let body = try gunzip(request.body ?? [])
        #expect(body.count > 3 * (request.body?.count ?? .max))
        #expect(try JSONReader.read(body).value["data"]?.array?.count == 50)
    }
}
