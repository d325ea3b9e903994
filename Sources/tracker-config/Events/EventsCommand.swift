import Foundation
import Glibc
import TrackerCommandLine
import TrackerCore

/// `tracker-config events`: the dead letters of a service.
enum EventsCommand {
    private static let stateDirectory = CommandOption(
        "--state-dir", .directory, "DIR", isRequired: true, help: "the state directory of the service")
    private static let namespace = CommandOption(
        "--namespace", .text, "NAME", help: "only events of this namespace")
    private static let reason = CommandOption(
        "--reason", .word(DropReason.allCases.filter(\.isReported).map(\.rawValue)), "REASON",
        help: "only events that were dropped for this reason")
    private static let json = CommandOption.json("list: print one JSON object with events and totals")
    private static let to = CommandOption("--to", .text, "URL", help: "resend: send to this collector now")
    private static let certificateFile = CommandOption(
        "--ca-file", .file, "FILE", help: "resend: certificates to trust for --to instead of the system's, in PEM form")

    static let command = ToolCommand(
        "events", summary: "list, export and resend dropped events that a service has kept",
        discussion: """
            A service keeps dropped events (dead letters) if SetupOptions.deadLetters is set. DIR is its state directory.
            The exit status is 1 if the file of dropped events cannot be used or a collector did not accept an event, 66
            if DIR cannot be used, and 0 otherwise.

              list      print time, reason, namespace, id and size of each event, and totals
                        by reason
              export    print the events as they were to be sent, one JSON object a line
              resend    ask the service to send the events again: a running process with
                        their namespace does so within a minute, otherwise the next one.
                        With --to, this command sends them now and removes those that the
                        collector accepts
            """,
        operands: [Operand("ACTION", .word(Action.allCases.map(\.rawValue)))],
        options: [stateDirectory, namespace, reason, json, to, certificateFile],
        examples: [
            CommandExample("List the dropped events of a service", "events list --state-dir /var/lib/shop"),
            CommandExample(
                "Send rejected events again after the collector is repaired",
                "events resend --state-dir /var/lib/shop --reason rejected"),
            CommandExample(
                "Archive the events of a namespace",
                "events export --state-dir /var/lib/shop \\\n    --namespace checkout > dropped.json"),
        ], action: run)

    private static func run(_ arguments: Arguments) async throws(CommandFailure) -> ExitStatus {
        guard let action = Action(rawValue: arguments.operands[0]), let directory = arguments.text(stateDirectory)
        else {
            throw .usage("events needs ACTION and \(stateDirectory.usage)")
        }
        try check(arguments, of: action)
        try check(directory)
        let filter = DeadLetter.Filter(
            namespace: arguments.text(namespace), reason: arguments.text(reason).flatMap { DropReason(rawValue: $0) })
        var failures: [String] = []
        do {
            let letters = try DeadLetterStore.existing(in: directory)
            switch action {
            case .list: try DeadLetterList(letters, filter).show(isJSON: arguments.isGiven(json))
            case .export:
                try letters?.forEach(filter) {
                    StandardStream.output.write(line: String(decoding: $0.payload, as: UTF8.self))
                }
            case .resend: failures = try await resend(letters, filter, arguments)
            }
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            failures.append("the dropped events in \(directory) cannot be used: \(error)")
        }
        for failure in failures { StandardStream.error.write(line: "tracker-config: \(failure)") }
        return failures.isEmpty ? .success : .findings
    }

    /// Refuses a directory that this process's user cannot read, that is another user's, or that no service has used: a service
    /// makes a file in it when it starts.
    private static func check(_ directory: String) throws(CommandFailure) {
        // A directory that is missing would have no files, and its name may be mistyped.
        guard !directory.isEmpty, access(directory, R_OK | X_OK) == 0 else {
            let error =
                directory.isEmpty
                ? FileError(.open, path: "''", errorNumber: ENOENT) : FileError(.open, path: directory)
            throw CommandFailure(.noInput, error.description)
        }
        // The service could not read files that another user makes in it.
        var information = stat()
        guard stat(directory, &information) == 0, information.st_uid == geteuid() else {
            throw CommandFailure(.noInput, "\(directory) belongs to another user; run the command as that user")
        }
        // One whose names cannot be read has none that is known.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        guard names.contains(where: { $0.hasPrefix("events-") }) else {
            throw CommandFailure(
                .noInput, "\(directory) is not the state directory of a service: it has no file named events-…")
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
        _ letters: DeadLetterStore?, _ filter: DeadLetter.Filter, _ arguments: Arguments
    ) async throws -> [String] {
        let output = StandardStream.output
        guard let endpoint = arguments.text(to) else {
            output.write(line: "to be sent again: \(counted(try letters?.requestResend(filter) ?? 0, "event"))")
            return []
        }
        let settings: EffectiveSettings
        do throws(ConfigurationError) {
            settings = try EffectiveSettings(endpoint: endpoint, certificateFile: arguments.text(certificateFile))
        } catch {
            throw CommandFailure.usage("--to cannot be used: \(error.reason)")
        }
        let result = await letters?.send(filter, by: settings, CurlTransport())
        output.write(line: "\(counted(result?.count ?? 0, "event")) sent")
        return result?.failures ?? []
    }
}
