import TrackerCommandLine
import TrackerConfig
import TrackerCore

/// `tracker-config status`: the status of a running service.
enum StatusCommand {
    private static let json = CommandOption.json("print the whole status as one JSON object")

    static let command = ToolCommand(
        "status", summary: "show the status lines of a running service",
        discussion: """
            URL is the address of the service's console, for example http://127.0.0.1:8080/console. The lines are those at the
            top of its page. The exit status is 1 if a line is a problem, and 69 if the service does not answer.
            """,
        operands: [Operand("URL", .url)], options: [ServerArguments.tokenFile, json, .color],
        examples: [
            CommandExample("Show how a service is", "status http://127.0.0.1:8080/console"),
            CommandExample(
                "List the trackers of a service with a token",
                "status https://shop.example/console \\\n    --token-file token --json | jq .trackers"),
        ], action: run)

    private static func run(_ arguments: Arguments) async throws(CommandFailure) -> ExitStatus {
        let base = arguments.operands[0].hasSuffix("/") ? arguments.operands[0] : arguments.operands[0] + "/"
        let headers = try ServerArguments.token(arguments).map {
            [HTTPHeader(name: "Authorization", value: "Bearer \($0)")]
        }
        let shown: String
        let response: HTTPTransportResponse
        do throws(ConfigurationError) { shown = try EndpointURL(base).shown } catch {
            throw .usage("URL \(error.reason)")
        }
        do throws(HTTPTransportError) {
            response = try await CurlTransport().send(
                HTTPTransportRequest(
                    method: "GET", url: base + "status", headers: headers ?? [], timeout: .seconds(10),
                    maxResponseSize: InputFile.maxSize))
        } catch {
            throw CommandFailure(.unavailable, "\(shown): \(error.reason)")
        }
        // A body that is not JSON comes from another server.
        guard response.status == 200, let status = (try? JSONReader.read(written: response.body))?.value.object,
            let lines = status["lines"]?.array
        else {
            let hint =
                response.status == 401 ? "; set --token-file or $CONSOLE_TOKEN" : ", and not the status of a console"
            throw CommandFailure(.unavailable, "\(shown) answered \(response.status)\(hint)")
        }
        let style = TextStyle(arguments)
        let colours: [String: TextStyle.Rendition] = ["problem": .red, "warning": .yellow]
        let texts = lines.map { line in
            let level = line["level"]?.string ?? ""
            return "\(style.paint(level, colours[level] ?? .faint)): \(line["text"]?.string?.printable ?? "")"
        }
        if arguments.isGiven(json) {
            StandardStream.output.write(status)
        } else {
            StandardStream.output.write(line: texts.joined(separator: "\n"))
        }
        return lines.contains { $0["level"]?.string == "problem" } ? .findings : .success
    }
}
