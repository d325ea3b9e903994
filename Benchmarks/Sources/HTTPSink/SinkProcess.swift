import Foundation

/// A sink in a process of its own, so that its CPU time is not counted with what is measured.
///
/// The process is this executable once more. It ends when the one that started it does.
package final class SinkProcess: Sendable {
    private static let marker = "TRACKER_BENCHMARKS_SINK"
    private static let documentMarker = "TRACKER_BENCHMARKS_DOCUMENT"

    /// The URL of the sink, without a path.
    package let url: String
    private let input: Pipe
    private let process: Process

    /// Starts the process and waits until it listens.
    /// - Parameter document: A file to answer each GET request with, or with 304 where the request has a tag; nil answers
    ///   with nothing.
    /// - Throws: Where the process cannot be started.
    package init(document: String? = nil) throws {
        input = Pipe()
        process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.environment = ProcessInfo.processInfo.environment.merging([Self.marker: "1"]) { $1 }
        if let document { process.environment?[Self.documentMarker] = document }
        process.standardInput = input
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        var line = Data()
        while line.last != 0x0A, let byte = try output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty {
            line += byte
        }
        url = String(decoding: line.dropLast(), as: UTF8.self)
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// Serves for as long as standard input is open, where this process was started for that; else returns at once.
    package static func serveIfAsked() {
        if ProcessInfo.processInfo.environment[marker] != nil { serve() }
    }

    /// Prints the URL, and serves for as long as standard input is open.
    package static func serve() -> Never {
        let file = ProcessInfo.processInfo.environment[documentMarker]
        let document = file.flatMap { try? Data(contentsOf: URL(fileURLWithPath: $0)) }
        let server = SinkServer(document: document.map(Array.init))
        print(server.url)
        fflush(nil)
        while let bytes = try? FileHandle.standardInput.read(upToCount: 4096), !bytes.isEmpty {}
        exit(0)
    }
}
