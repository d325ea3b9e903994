import Foundation
package import TrackerCore

/// The collector of the shared tools, where they are beside the checkout; it checks events against the Iglu schemas and the
/// project's own.
package struct Micro: ~Copyable {
    private static let root = URL(filePath: #filePath).appending(path: "../../..").standardized.path
    private static let script = URL(filePath: root).appending(path: "../shared/tools/micro.py").standardized.path

    /// Whether the tools are there.
    package static let isHere = FileManager.default.fileExists(atPath: script)

    private let process = Process()
    package let url: String

    package init() throws {
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", Self.script, "--iglu", "\(Self.root)/Schemas"]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let word = line.split(whereSeparator: \.isWhitespace).last else { throw CocoaError(.fileReadUnknown) }
        url = String(word)
    }

    deinit {
        process.terminate()
    }

    package func get(_ path: String) async throws -> JSONValue {
        let answer = try await CurlTransport().send(
            HTTPRequest(method: "GET", url: url + path, maximumResponseSize: 10_000_000))
        return try JSONReader.read(answer.body).value
    }
}
