import DocumentTools
import TrackerCommandLine
import TrackerConfig
import TrackerCore

/// `tracker-config diff`: what a fleet does when a document follows another.
enum DiffCommand {
    static let help = """
        tracker-config diff OLD NEW [options]: what a service that has the document OLD does when NEW follows

        Whether NEW is applied at all, which trackers come, go, stay and change, setting by setting with the layers that
        give the values; what changes in meta, features, experiments and the rollout, and how many units move to another
        variant. Ends with 0 whether anything differs or not, and with 1, saying why as validate does, where a service
        could not use one of the documents. One FILE may be -, standard input.

          --default FILE        a document whose bundles are the service's default
          --default-version N   the default's version
          --json                one JSON object
        """

    /// - Returns: The status to exit with.
    static func run(_ words: [String]) throws(UsageError) -> Int32 {
        let arguments = try Arguments(words, options: ["--default", "--default-version"], flags: ["--json"])
        if arguments.wantsHelp {
            print(help)
            return 0
        }
        guard arguments.operands.count == 2 else { throw UsageError("diff needs OLD and NEW") }
        let report = Report(isJSON: arguments.has("--json"))
        let defaults = try DefaultDocument(arguments, report)
        let old = try report.document(arguments.operands[0])
        let new = try report.document(arguments.operands[1])
        guard let old, let new, let defaults else { return 1 }
        let difference = ConfigurationDifference(
            from: old, to: new, default: defaults.configuration, defaultVersion: defaults.version)
        report.show(json: difference.json, lines: DifferenceText(difference, report.style).lines)
        return 0
    }
}
