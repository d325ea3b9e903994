import TrackerCommandLine
import TrackerConfig
import TrackerCore

/// `tracker-config explain`: every setting of every tracker that a document gives.
enum ExplainCommand {
    static let help = """
        tracker-config explain FILE [options]: every setting of every tracker that a document gives, and which layer says so

        The built-in tracker.appId is the name of the executable that asks. Ends with 1, and says why as validate does,
        where a service could not use FILE or the default. A FILE of - is standard input.

          --default FILE          a document whose bundles are the default
          --default-version N     the default's version
          --namespace NS          this tracker only
          --field SECTION.FIELD   this setting only, as subject.userId
          --all                   built-in values too
          --json                  one JSON object: version, trackers, removed, withoutEndpoint, warnings
        """

    /// - Returns: The status to exit with.
    static func run(_ words: [String]) throws(UsageError) -> Int32 {
        let arguments = try Arguments(
            words, options: ["--default", "--default-version", "--namespace", "--field"], flags: ["--all", "--json"])
        if arguments.wantsHelp {
            print(help)
            return 0
        }
        guard arguments.operands.count == 1 else { throw UsageError("explain needs one FILE") }
        let field: String?
        do throws(ConfigurationError) {
            field = try arguments.text("--field").map { name throws(ConfigurationError) in
                try AnySection.canonicalName(name)
            }
        } catch {
            throw UsageError("there is no field '\(error.place)'")
        }
        let report = Report(isJSON: arguments.has("--json"))
        let defaults = try DefaultDocument(arguments, report)
        guard let document = try report.document(arguments.operands[0]), let defaults else { return 1 }

        var explanation = ConfigurationExplanation(document, defaults, field: field)
        if let namespace = arguments.text("--namespace") {
            guard let only = explanation.only(namespace) else {
                throw UsageError("the document gives no tracker '\(namespace)' and removes none")
            }
            explanation = only
        }
        let isWhole = arguments.has("--all") || field != nil
        report.show(json: explanation.json, lines: explanation.lines(report.style, isWhole: isWhole))
        return 0
    }
}
