import Foundation
import TrackerLoopbackServer
import TrackerCommandLine
import TrackerJSON

/// `demo-tracker serve`: a file server and a collector on one port of loopback.
enum ServeCommand {
    private static let port = CommandOption(
        "--port", .integer(0...65_535), "N", builtIn: "a free one", help: "the port to listen on")

    static let command = ToolCommand(
        "serve", summary: "serve files and collect events on loopback",
        discussion: """
            Serves the files of DIR with ETag, Last-Modified, 304 and HEAD, accepts events as a Snowplow collector does
            (POST /com.snowplowanalytics.snowplow/tp2 and GET /i), and prints a line for each event and for each file that
            it sends. Ctrl-C stops it.

            Each file has a stream, FILE?stream: when the file changes, services that follow the stream fetch it at once.
            Up to 32 connections can follow at a time; other services poll.
            """,
        operands: [Operand("DIR", .directory)], options: [port],
        examples: [CommandExample("Serve the documents of a directory", "serve --port 8080 files")], action: run)

    private static func run(_ arguments: Arguments) async throws(CommandFailure) -> ExitStatus {
        let directory = arguments.operands[0]
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: directory, isDirectory: &isDirectory), isDirectory.boolValue else {
            throw CommandFailure(.noInput, "\(directory) is not a directory")
        }
        let termination = await Termination()
        let port = arguments.integer(Self.port) ?? 0
        let output = StandardStream.output
        let files = FileServer(directory: directory, streams: true)
        let collector = Collector()
        let server: LoopbackServer
        do throws(ServerError) {
            server = try LoopbackServer(port: UInt16(port), timeout: .seconds(30)) { request in
                let answer = collector.reply(to: request)
                for event in collector.take() { output.write(line: "event    \(event.summary)") }
                if let answer { return answer }
                let reply = files.reply(to: request)
                // Not what a client has already: services also ask when their stream begins.
                if case .response(let status, _, _, _) = reply, status != 304 {
                    let words = "\(request.method) \(request.path)"
                    output.write(line: "file     \(words.oneLine(most: 2000)) \(status)")
                }
                return reply
            }
        } catch {
            throw CommandFailure(.unavailable, "\(error)")
        }
        output.write(line: "listening on \(server.url)")
        output.write(line: "files of \(directory); collector at the same address")
        await termination.wait()
        server.stop()
        return .success
    }
}
