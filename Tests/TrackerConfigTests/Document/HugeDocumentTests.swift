import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerCore
import TrackerLoopbackServer
import TrackerTesting

/// What tries to fill a service's memory; each in a process of its own, so that only its memory is measured.
@Suite("Huge documents", .endsWhenItHangs, .mayBlock)
struct HugeDocumentTests {
    @Test("50 MB of zeros, plain and by gzip, are refused as too large, and the old configuration goes on")
    func fetched() async {
        await #expect(processExitsWith: .success) {
            let zeros = [UInt8](repeating: 0, count: 1 << 20)
            let bomb = Gzip.zeros(atLeast: 50_000_000)
            #expect(bomb.count < 400_000)
            let good = Array(DocumentText.document(1, DocumentText.bundle()).utf8)
            let kind = Locked("good")
            let site = try LoopbackServer { _ in
                switch kind.withLock({ $0 }) {
                case "gzip": .response(status: 200, headers: [("Content-Encoding", "gzip")], body: bomb)
                case "plain": .stream(status: 200) { writer in for _ in 0..<50 where !writer.write(zeros) { return } }
                case "a length":
                    .stream(status: 200, headers: [("Content-Length", "50000000")]) { writer in
                        for _ in 0..<50 where !writer.write(zeros) { return }
                    }
                default: .response(status: 200, body: good)
                }
            }
            let directory = TemporaryDirectory()
            var options = SetupOptions()
            options.cacheDirectory = directory.file("cache")
            options.stateDirectory = directory.file("state")
            let setup = try Setup(remote: RemoteConfiguration(endpoint: site.url), options: options)
            // The first fetch, or one that finds the document in use.
            await setup.refresh()
            let tracker = try #require(setup.tracker("a"))
            // The first of each kind brings what is kept for the next: libcurl's buffers, threads and their stacks.
            for kinds in [["gzip"], ["gzip", "plain", "a length", "gzip", "plain"]] {
                let before = try Memory.peak()
                for next in kinds {
                    kind.withLock { $0 = next }
                    #expect(await setup.refresh().short == "failed tooLarge")
                }
                #expect(try Memory.peak() - before < 20_000_000)
            }
            #expect(setup.tracker("a") === tracker)
            #expect(tracker.network.endpoint == "collector.example")
            await setup.shutdown(timeout: .zero)
            site.stop()
        }
    }

    @Test(
        "a document takes a bounded multiple of its size, whatever it is made of",
        .enabled(if: !Memory.isSanitized, "a sanitizer's own memory would be measured"))
    func read() async {
        await #expect(processExitsWith: .success) {
            let size = 1 << 18
            let before = try Memory.peak()
            for piece in ["[", "0,", "[],", "{\"a\":0},", "\"\",", "\"a\\u0301\",", "[[[[[[[[[[]]]]]]]]]],"] {
                let list = String(repeating: piece, count: size / piece.utf8.count)
                let isWhole = piece.hasSuffix(",")
                let text = DocumentText.document(1, more: ",\"meta\":{\"a\":[\(list)\(isWhole ? "0]}" : "")")
                #expect((try? Document(Array(text.utf8))) != nil || !isWhole, "\(piece)")
            }
            let members = (0..<size / 16).map { ",\"\\u0061\($0)\":[{}]" }.joined()
            #expect(try Document(Array(DocumentText.document(1, more: members).utf8)).warnings.count <= 101)
            let bundles = (0..<size / 24).map { "{\"namespace\":\"\($0)\"}" }.joined(separator: ",")
            #expect(try Document(Array(DocumentText.document(1, bundles).utf8)).bundles.count == size / 24)
            let rules = Array(repeating: "{\"x\":1}", count: size / 16).joined(separator: ",")
            let name = String(repeating: "k", count: size)
            let rule = ",\"features\":{\"\(name)\":{\"rules\":[\(rules)]}}"
            #expect(try Document(Array(DocumentText.document(1, more: rule).utf8)).warnings.count == 101)
            #expect(try Memory.peak() - before < 200 * size)
        }
    }
}

/// This process's memory.
private enum Memory {
    static let isSanitized = ["__tsan_init", "__asan_init"].contains { (name: String) in dlsym(nil, name) != nil }

    /// The most resident memory that there ever was, in bytes.
    static func peak() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(Int(line.split(whereSeparator: { !$0.isNumber })[0])) * 1024
    }
}
