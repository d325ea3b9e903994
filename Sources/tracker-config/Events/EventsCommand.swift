import Foundation
package import TrackerCommandLine
import TrackerCore
import TrackerPlatform

/// `tracker-config events`: the dead letters of a service.
package enum EventsCommand {
    private static let stateDirectory = CommandOption(
        "--state-dir", .directory, "DIR", isRequired: true, help: "the state directory of the service")
    private static let namespace = CommandOption(
        "--namespace", .text, "NAME", help: "only events of this namespace")
    private static let reason = CommandOption(
        "--reason", .word(DropReason.allCases.filter(\.isReported).map(\.rawValue)), "REASON",
        help: "only events that were dropped for this reason")
    private static let json = CommandOption.json("list: print one JSON object with events and totals")

    package static let command = ToolCommand(
        "events", summary: "list, export and resend dropped events that a service has kept",
        discussion: """
            A service keeps dropped events (dead letters) if SetupOptions.deadLetters is set. DIR is its state directory.
            The exit status is 1 if the file of dropped events cannot be used, 66 if DIR cannot be used, and 0 otherwise.

              list      print time, reason, namespace, id and size of each event, and totals
                        by reason
              export    print the events as they were to be sent, one JSON object a line
              resend    ask the service to send the events again: a running process with
                        their namespace does so within a minute, otherwise the next one
            """,
        operands: [Operand("ACTION", .word(Action.allCases.map(\.rawValue)))],
        options: [stateDirectory, namespace, reason, json],
        examples: [
            CommandExample("List the dropped events of a service", "events list --state-dir /var/lib/shop"),
            CommandExample(
                "Send rejected events again after the collector is repaired",
                "events resend --state-dir /var/lib/shop --reason rejected"),
            CommandExample(
                "Archive the events of a namespace",
                "events export --state-dir /var/lib/shop \\\n    --namespace checkout > dropped.json"),
        ], action: run)

    // Asynchronous like all actions: Swift 6.3.1 crashes when it converts a synchronous one.
    private static func run(_ arguments: Arguments) async throws(CommandFailure) -> ExitStatus {
        guard let action = Action(rawValue: arguments.operands[0]), let directory = arguments.text(stateDirectory)
        else {
            throw .usage("events needs ACTION and \(stateDirectory.usage)")
        }
        if action != .list, arguments.isGiven(json) { throw .usage("--json is an option of list") }
        try check(directory)
        let filter = DeadLetter.Filter(
            namespace: arguments.text(namespace), reason: arguments.text(reason).flatMap { DropReason(rawValue: $0) })
        do {
            let letters = try DeadLetterStore.existing(in: directory)
            switch action {
            case .list:
                try DeadLetterList(letters: letters, filter: filter).show(isJSON: arguments.isGiven(json))
            case .export:
                try letters?.forEach(filter) {
                    StandardStream.output.write(line: String(decoding: $0.payload, as: UTF8.self))
                }
            case .resend:
                let count = try letters?.requestResend(filter) ?? 0
                StandardStream.output.write(line: "to be sent again: \(counted(count, "event"))")
            }
            return .success
        } catch {
            StandardStream.error.write(
                line: "tracker-config: the dropped events in \(directory) cannot be used: \(error)")
            return .findings
        }
    }

    /// Rejects a directory that this user cannot read, that belongs to another user, or that no service has used: a
    /// service creates a file in it when it starts.
    private static func check(_ directory: String) throws(CommandFailure) {
        // A missing directory would appear empty, and its name may be mistyped.
        guard !directory.isEmpty, access(directory, R_OK | X_OK) == 0 else {
            let error =
                directory.isEmpty
                ? FileError(.open, path: "''", errorNumber: ENOENT) : FileError(.open, path: directory)
            throw CommandFailure(.noInput, error.description)
        }
        // The service could not read files that another user creates in it.
        var information = stat()
        guard stat(directory, &information) == 0, information.st_uid == geteuid() else {
            throw CommandFailure(.noInput, "\(directory) belongs to another user; run the command as that user")
        }
        // If the names cannot be read, the directory counts as empty.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        guard names.contains(where: { $0.hasPrefix("log-") }) else {
            throw CommandFailure(
                .noInput, "\(directory) is not the state directory of a service: it has no file named log-…")
        }
    }

    private enum Action: String, CaseIterable {
        case list
        case export
        case resend
    }
}
