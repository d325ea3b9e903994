import Foundation
import TrackerLoopbackServer
import TrackerCommandLine

/// `demo-tracker serve`: a file server and a collector on one port of loopback.
enum ServeCommand {
    static let help = """
        demo-tracker serve DIR [--port N]: a file server and a collector on loopback

        Serves the files of DIR with ETag, Last-Modified, 304 and HEAD, takes events as a Snowplow collector does
        (POST /com.snowplowanalytics.snowplow/tp2 and GET /i), and prints a line for each. Ends with Ctrl-C.

          --port N    the port (a free one)
        """

    static func run(_ words: [String]) async throws(UsageError) {
        let arguments = try Arguments(words, options: ["--port"])
        if arguments.wantsHelp { return print(help) }
        guard arguments.operands.count == 1 else { throw UsageError("serve needs one DIR") }
        let directory = arguments.operands[0]
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: directory, isDirectory: &isDirectory), isDirectory.boolValue else {
            throw UsageError("\(directory) is not a directory")
        }
        let termination = await Termination()
        let port = try arguments.integer("--port", in: 0...65_535) ?? 0
        let output = StandardStream.output
        let files = FileServer(directory: directory)
        let collector = Collector()
        let server: LoopbackServer
        do throws(ServerError) {
            server = try LoopbackServer(port: UInt16(port)) { request in
                let answer = collector.reply(to: request)
                for event in collector.take() { output.write(line: "event    \(event.summary)") }
                if let answer { return answer }
                let reply = files.reply(to: request)
                if case .response(let status, _, _, _) = reply {
                    output.write(line: "file     \(request.method) \(request.path) \(status)")
                }
                return reply
            }
        } catch {
            throw UsageError("\(error)")
        }
        output.write(line: "listening on \(server.url)")
        output.write(line: "files of \(directory); collector at the same address")
        await termination.wait()
        server.stop()
    }
}
