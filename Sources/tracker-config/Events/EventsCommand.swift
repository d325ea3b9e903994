import TrackerCommandLine
import TrackerCore

/// `tracker-config events`: the dead letters of a service.
enum EventsCommand {
    static let help = """
        tracker-config events list|export|resend --state-dir DIR [options]: events that were dropped and kept

        A service keeps dropped events if SetupOptions.deadLetters says so. DIR is the service's own state directory. The
        files of running processes are read from a copy. Ends with 1 if a file could not be used or an event was not
        taken, else with 0.

          list      time, reason, namespace, id and size of each event, and totals by reason
          export    the events as they were to be sent, one JSON object a line
          resend    puts the events back into the queue of unsent events: the next process of the service sends them, and
                    a running one does within a minute. With --to, this command sends them and removes those that the
                    collector takes; events of running processes are left alone

          --state-dir DIR    the service's state directory; required
          --namespace NAME   the events of this namespace only
          --reason REASON    the events that were dropped for this reason only: \(reasons)
          --json             list: one JSON object: events, totals
          --to URL           resend: the collector to send to
          --ca-file FILE     resend: certificates to trust instead of the system's, in PEM form
        """

    private static var reasons: String {
        DropReason.allCases.filter(\.isReported).map(\.rawValue).joined(separator: ", ")
    }

    /// - Returns: The status to exit with.
    static func run(_ words: [String]) async throws(UsageError) -> Int32 {
        let arguments = try Arguments(
            words, options: ["--state-dir", "--namespace", "--reason", "--to", "--ca-file"], flags: ["--json"])
        if arguments.wantsHelp {
            print(help)
            return 0
        }
        guard arguments.operands.count == 1, let action = Action(rawValue: arguments.operands[0]) else {
            throw UsageError("events needs one of list, export and resend")
        }
        try action.check(arguments)
        guard let directory = arguments.text("--state-dir") else { throw UsageError("--state-dir DIR is needed") }
        let files: DeadLetterFiles
        do throws(FileError) {
            files = try DeadLetterFiles(directory: directory)
        } catch {
            throw UsageError(error.description)
        }
        guard files.isOwn else {
            throw UsageError("\(directory) belongs to another user; run the command as that user")
        }
        let filter = try filter(arguments)
        let failures: [String]
        switch action {
        case .list: failures = DeadLetterList(files, filter).show(isJSON: arguments.has("--json"))
        case .export:
            failures = files.forEach(filter) {
                StandardStream.output.write(line: String(decoding: $0.payload, as: UTF8.self))
            }
        case .resend: failures = try await resend(files, filter, arguments)
        }
        for failure in failures { StandardStream.error.write(line: "tracker-config: \(failure)") }
        return failures.isEmpty ? 0 : 1
    }

    private enum Action: String {
        case list
        case export
        case resend

        /// Refuses options of the other actions.
        func check(_ arguments: Arguments) throws(UsageError) {
            if self != .list, arguments.has("--json") { throw UsageError("--json is an option of list") }
            for option in ["--to", "--ca-file"] where self != .resend && arguments.text(option) != nil {
                throw UsageError("\(option) is an option of resend")
            }
            if arguments.text("--ca-file") != nil, arguments.text("--to") == nil {
                throw UsageError("--ca-file needs --to")
            }
        }
    }

    private static func filter(_ arguments: Arguments) throws(UsageError) -> DeadLetter.Filter {
        var filter = DeadLetter.Filter(namespace: arguments.text("--namespace"))
        if let word = arguments.text("--reason") {
            guard let reason = DropReason(rawValue: word), reason.isReported else {
                throw UsageError("--reason takes one of \(reasons), not '\(word)'")
            }
            filter.reason = reason
        }
        return filter
    }

    private static func resend(
        _ files: DeadLetterFiles, _ filter: DeadLetter.Filter, _ arguments: Arguments
    ) async throws(UsageError) -> [String] {
        let output = StandardStream.output
        guard let endpoint = arguments.text("--to") else {
            let result = files.requeue(filter)
            output.write(line: "\(count(result.count, "event")) put back into the queue")
            if result.processes > 0 {
                output.write(line: "\(count(result.processes, "running process", "running processes")) asked to resend")
            }
            return result.failures
        }
        do throws(ConfigurationError) {
            let result = try await files.send(
                filter, to: endpoint, certificateFile: arguments.text("--ca-file"), by: CurlTransport())
            output.write(line: "\(count(result.count, "event")) sent")
            return result.failures
        } catch {
            throw UsageError("--to cannot be used: \(error.reason)")
        }
    }

    private static func count(_ number: Int, _ word: String, _ words: String? = nil) -> String {
        "\(number) \(number == 1 ? word : words ?? "\(word)s")"
    }
}
