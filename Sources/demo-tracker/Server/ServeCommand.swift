import Foundation
import TrackerCommandLine
import TrackerCore
import TrackerLoopbackServer

/// `demo-tracker serve`: a file server and a collector on one port of loopback.
enum ServeCommand {
    private static let port = CommandOption(
        "--port", .integer(0...65_535), "N", builtIn: "a free one", help: "the port to listen on")

    static let command = ToolCommand(
        "serve", summary: "serve files and collect events on loopback",
        discussion: """
            Serves the files of DIR with ETag, 304 and HEAD, accepts events as a Snowplow collector does (POST
            /com.snowplowanalytics.snowplow/tp2 and GET /i), and prints a line for each event and for each file that it
            sends. Ctrl-C stops it.

            Each file has a stream, FILE?stream: when the file changes, services that follow the stream fetch it at once.
            """,
        operands: [Operand("DIR", .directory)], options: [port],
        examples: [CommandExample("Serve the documents of a directory", "serve --port 8080 files")], action: run)

    private static func run(_ arguments: Arguments) async throws(CommandFailure) -> ExitStatus {
        let directory = arguments.operands[0]
        guard (try? FileManager.default.contentsOfDirectory(atPath: directory)) != nil else {
            throw CommandFailure(.noInput, "\(directory) cannot be read as a directory")
        }
        let termination = await Termination()
        let output = StandardStream.output
        let files = FileServer(directory: directory)
        let server: LoopbackServer
        do throws(ServerError) {
            server = try LoopbackServer(port: UInt16(arguments.integer(port) ?? 0), timeout: .seconds(30)) { request in
                if let (reply, events) = Collector.answer(request) {
                    for event in events { output.write(line: "event    \(event.summary)") }
                    return reply
                }
                let reply = files.reply(to: request)
                // Responses with 304 are not printed: services also fetch whenever their stream begins.
                if case .response(let status, _, _, _) = reply, status != 304 {
                    output.write(line: "file     \(request.method) \(request.path.oneLine(most: 2000)) \(status)")
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
