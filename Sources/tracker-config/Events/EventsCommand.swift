import Foundation
import TrackerCommandLine
import TrackerCore

/// `tracker-config events`: the dead letters of a service.
enum EventsCommand {
    private static let stateDirectory = CommandOption(
        "--state-dir", .directory, "DIR", isRequired: true, help: "the service's state directory")
    private static let namespace = CommandOption(
        "--namespace", .text, "NAME", help: "the events of this namespace only")
    private static let reason = CommandOption(
        "--reason", .word(DropReason.allCases.filter(\.isReported).map(\.rawValue)), "REASON",
        help: "the events that were dropped for this reason only")
    private static let json = CommandOption.json("list: one JSON object: events, totals")
    private static let to = CommandOption("--to", .text, "URL", help: "resend: the collector to send to")
    private static let certificateFile = CommandOption(
        "--ca-file", .file, "FILE", help: "resend: certificates to trust instead of the system's, in PEM form")

    static let command = ToolCommand(
        "events", summary: "lists, exports and resends events that were dropped and kept",
        discussion: """
            A service keeps dropped events if SetupOptions.deadLetters says so. DIR is the service's own state directory. The
            files of running processes are read from a copy. Ends with 1 if a file could not be used or an event was not
            taken, with 66 if DIR cannot be used, else with 0.

              list      time, reason, namespace, id and size of each event, and totals by reason
              export    the events as they were to be sent, one JSON object a line
              resend    puts the events back into the queue of unsent events: the next process of the service
                        sends them, and a running one does within a minute. With --to, this command sends
                        them and removes those that the collector takes; events of running processes are
                        left alone
            """,
        operands: [Operand("ACTION", .word(Action.allCases.map(\.rawValue)))],
        options: [stateDirectory, namespace, reason, json, to, certificateFile], action: run)

    private static func run(_ arguments: Arguments) async throws(CommandFailure) -> ExitStatus {
        guard let action = Action(rawValue: arguments.operands[0]), let directory = arguments.text(stateDirectory)
        else {
            throw .usage("events needs ACTION and \(stateDirectory.usage)")
        }
        try check(arguments, of: action)
        let files: DeadLetterFiles
        do throws(FileError) {
            files = try DeadLetterFiles(directory: directory)
        } catch {
            throw CommandFailure(.noInput, error.description)
        }
        guard files.isOwn else {
            throw CommandFailure(.noInput, "\(directory) belongs to another user; run the command as that user")
        }
        guard try hasFiles(directory) else {
            throw CommandFailure(
                .noInput, "\(directory) is no state directory of a service: it has no file named events-…")
        }
        let filter = DeadLetter.Filter(
            namespace: arguments.text(namespace), reason: arguments.text(reason).flatMap { DropReason(rawValue: $0) })
        let failures: [String]
        switch action {
        case .list: failures = DeadLetterList(files, filter).show(isJSON: arguments.isGiven(json))
        case .export:
            failures = files.forEach(filter) {
                StandardStream.output.write(line: String(decoding: $0.payload, as: UTF8.self))
            }
        case .resend: failures = try await resend(files, filter, arguments)
        }
        for failure in failures { StandardStream.error.write(line: "tracker-config: \(failure)") }
        return failures.isEmpty ? .success : .findings
    }

    /// Whether a service has used the directory: it makes a file in it when it starts.
    private static func hasFiles(_ directory: String) throws(CommandFailure) -> Bool {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: directory).contains { $0.hasPrefix("events-") }
        } catch {
            throw CommandFailure(.noInput, "cannot read \(directory): \(error.localizedDescription)")
        }
    }

    private enum Action: String, CaseIterable {
        case list
        case export
        case resend
    }

    /// Refuses options of the other actions.
    private static func check(_ arguments: Arguments, of action: Action) throws(CommandFailure) {
        if action != .list, arguments.isGiven(json) { throw .usage("--json is an option of list") }
        for option in [to, certificateFile] where action != .resend && arguments.isGiven(option) {
            throw .usage("\(option.name) is an option of resend")
        }
        if arguments.isGiven(certificateFile), !arguments.isGiven(to) { throw .usage("--ca-file needs --to") }
    }

    private static func resend(
        _ files: DeadLetterFiles, _ filter: DeadLetter.Filter, _ arguments: Arguments
    ) async throws(CommandFailure) -> [String] {
        let output = StandardStream.output
        guard let endpoint = arguments.text(to) else {
            let result = files.requeue(filter)
            output.write(line: "\(count(result.count, "event")) put back into the queue")
            if result.processes > 0 {
                output.write(line: "\(count(result.processes, "running process", "running processes")) asked to resend")
            }
            return result.failures
        }
        do throws(ConfigurationError) {
            let result = try await files.send(
                filter, to: endpoint, certificateFile: arguments.text(certificateFile), by: CurlTransport())
            output.write(line: "\(count(result.count, "event")) sent")
            return result.failures
        } catch {
            throw .usage("--to cannot be used: \(error.reason)")
        }
    }

    private static func count(_ number: Int, _ word: String, _ words: String? = nil) -> String {
        "\(number) \(number == 1 ? word : words ?? "\(word)s")"
    }
}
