import DocumentTools
import TrackerCommandLine
import TrackerConfig
import TrackerCore

/// `tracker-config diff`: what a fleet does when a document follows another.
enum DiffCommand {
    private static let exitCode = CommandOption(
        "--exit-code", .flag, help: "end with 1 if anything differs, as git does")

    static let command = ToolCommand(
        "diff", summary: "what a service that has the document OLD does when NEW follows",
        discussion: """
            Whether NEW is applied at all, which trackers come, go, stay and change, setting by setting with the layers that
            give the values; what changes in meta, features, experiments and the rollout, and how many units move to another
            variant. One FILE may be -, standard input.

            Ends with 0 whether anything differs or not, unless --exit-code is given. If a service could not use one of the
            documents, it says why on standard error, as validate does, and ends with 1.
            """,
        operands: [Operand("OLD", .file), Operand("NEW", .file)],
        options: [exitCode] + DefaultDocument.options + [Report.json, .color], action: run)

    private static func run(_ arguments: Arguments) async throws(CommandFailure) -> ExitStatus {
        let report = Report(arguments)
        let defaults = try DefaultDocument(arguments, report)
        let old = try report.document(arguments.operands[0])
        let new = try report.document(arguments.operands[1])
        guard let old, let new, let defaults else { return .findings }
        let difference = ConfigurationDifference(
            from: old, to: new, default: defaults.configuration, defaultVersion: defaults.version)
        report.show(json: difference.json, lines: DifferenceText(difference, report.style).lines)
        return arguments.isGiven(exitCode) && !difference.isEmpty ? .findings : .success
    }
}
