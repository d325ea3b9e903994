import Foundation
package import TrackerCore

/// The collector of the shared tools, where they are beside the checkout; it checks events against the Iglu schemas and the
/// project's own.
package struct Micro: ~Copyable {
    private static let root = URL(filePath: #filePath).appending(path: "../../..").standardized.path
    private static let script = URL(filePath: root).appending(path: "../shared/tools/micro.py").standardized.path

    /// Whether the tools are there.
    package static let isHere = FileManager.default.fileExists(atPath: script)

    private let process: ChildProcess
    package let url: String

    package init() throws {
        let process = try ChildProcess("python3", Self.script, "--iglu", "\(Self.root)/Schemas")
        let line = String(decoding: process.available(), as: UTF8.self)
        guard let word = line.split(whereSeparator: \.isWhitespace).last else {
            process.terminate()
            throw CocoaError(.fileReadUnknown)
        }
        url = String(word)
        self.process = process
    }

    deinit {
        process.terminate()
        _ = process.wait()
    }

    package func get(_ path: String) async throws -> JSONValue {
        let answer = try await CurlTransport().send(
            HTTPTransportRequest(method: "GET", url: url + path, maxResponseSize: 10_000_000))
        return try JSONReader.read(answer.body).value
    }
}
