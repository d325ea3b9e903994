import DocumentTools
import TrackerCommandLine
import TrackerConfig
import TrackerCore

/// `tracker-config diff`: the changes in a service when one document replaces another.
enum DiffCommand {
    private static let exitCode = CommandOption(
        "--exit-code", .flag, help: "exit with 1 if anything differs, as git diff does")

    static let command = ToolCommand(
        "diff", summary: "show what changes in a service when NEW replaces OLD",
        discussion: """
            Shows whether NEW is applied; which trackers are added, removed and changed, with the layer that sets each
            value; what changes in meta, segments, features, experiments and the rollout; and about how many units get
            another value or variant, which up to 10,000 made-up units show. OLD or NEW can be -, standard input.

            The lines begin with + for what is added, - for what is removed, ~ for what changes, = for what stays, and !
            for warnings.

            The exit status is 0 whether anything differs or not, unless --exit-code is given. If a service cannot use one
            of the documents, the reasons are on standard error, as validate prints them, and the exit status is 1.
            """,
        operands: [Operand("OLD", .file), Operand("NEW", .file)],
        options: [exitCode] + DefaultDocument.options + [Report.json, .color],
        examples: [
            CommandExample("Review a change before it is published", "diff published.json trackers.json"),
            CommandExample(
                "Compare with the last commit", "diff <(git show HEAD:trackers.json) trackers.json"),
            CommandExample(
                "Do something in a script only if the documents differ", "diff --exit-code published.json trackers.json"
            ),
        ], action: run)

    private static func run(_ arguments: Arguments) async throws(CommandFailure) -> ExitStatus {
        let report = Report(arguments)
        let defaults = try DefaultDocument(arguments, report)
        let old = try report.validated(arguments.operands[0])
        let new = try report.validated(arguments.operands[1])
        guard let oldDocument = old.document, let newDocument = new.document, let defaults else { return .findings }
        let difference = ConfigurationDifference(
            from: oldDocument, to: newDocument, default: defaults.configuration, defaultVersion: defaults.version)
        var lines = difference.lines.map { $0.text(report.style) }
        if !new.warnings.isEmpty {
            let count = counted(new.warnings.count, "warning")
            lines.append("! NEW has \(count), which tracker-config validate \(arguments.operands[1]) shows")
        }
        var json = difference.json
        json["warnings"] = .array(new.warnings.map(\.json))
        report.show(json: json, lines: lines)
        return arguments.isGiven(exitCode) && !difference.isEmpty ? .findings : .success
    }
}

extension DifferenceLine {
    /// The line for a terminal.
    func text(_ style: TextStyle) -> String {
        let colours: [String: TextStyle.Rendition] = ["+": .green, "-": .red, "~": .yellow, "!": .magenta]
        let start = mark.map { mark in (colours[mark].map { style.paint(mark, $0) } ?? mark) + " " } ?? ""
        return String(repeating: "  ", count: indent) + start + text
    }
}
