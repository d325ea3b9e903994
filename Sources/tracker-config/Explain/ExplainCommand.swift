import DocumentTools
import TrackerCommandLine
import TrackerConfig
import TrackerCore

/// `tracker-config explain`: every setting of every tracker that a document gives, and what decides its features.
enum ExplainCommand {
    static let help = """
        tracker-config explain FILE [options]: every setting of every tracker that a document gives, and which layer says so;
        the rules of its features in order and, for a context, what it gets and why

        The built-in tracker.appId is the name of the executable that asks. Ends with 1, and says why as validate does,
        where a service could not use FILE or the default. A FILE of - is standard input.

          --default FILE          a document whose bundles are the default
          --default-version N     the default's version
          --namespace NS          this tracker only
          --field SECTION.FIELD   this setting only, as subject.userId
          --feature NAME          this feature only, and no trackers
          --context JSON          also what this context gets of each feature, with reason, source and rule; stored
                                  assignments are not known: {"units":{"userId":"u-1"},"country":"US","language":"en",
                                  "attributes":{"plan":"pro"}}
          --all                   built-in values too
          --json                  one JSON object: version, trackers, removed, withoutEndpoint, warnings and, if
                                  there are any, features
        """

    /// - Returns: The status to exit with.
    static func run(_ words: [String]) throws(UsageError) -> Int32 {
        let arguments = try Arguments(
            words,
            options: ["--default", "--default-version", "--namespace", "--field", "--feature", "--context"],
            flags: ["--all", "--json"])
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
        let context = try arguments.text("--context").map(Self.context)
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
        let name = arguments.text("--feature")
        let features = FeatureExplanation(document, defaults, context: context, feature: name)
        if let name, features.isEmpty {
            throw UsageError("neither the document nor the default has a feature '\(name)'")
        }
        var json = explanation.json
        var lines: [String] = []
        if name == nil { lines = explanation.lines(report.style, isWhole: isWhole) } else { json["trackers"] = [:] }
        if field == nil, arguments.text("--namespace") == nil, !features.isEmpty {
            json["features"] = features.json
            lines += features.lines
        }
        report.show(json: json, lines: lines.isEmpty ? ["no rules"] : lines)
        return 0
    }

    private static func context(_ text: String) throws(UsageError) -> FeatureContext {
        guard let json = try? JSONReader.read(Array(text.utf8)).value.object else {
            throw UsageError("--context takes a JSON object")
        }
        do throws(ContextFault) {
            return try FeatureContext(json)
        } catch {
            throw UsageError("--context: \(error)")
        }
    }
}
