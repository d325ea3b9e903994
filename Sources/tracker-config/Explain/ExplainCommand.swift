import DocumentTools
import TrackerCommandLine
import TrackerConfig
import TrackerCore

/// `tracker-config explain`: every setting of every tracker that a document gives, and what decides its features.
enum ExplainCommand {
    private static let namespace = CommandOption("--namespace", .text, "NAME", help: "this tracker only")
    private static let field = CommandOption(
        "--field", .text, "SECTION.FIELD", help: "this setting only, as subject.userId")
    private static let feature = CommandOption("--feature", .text, "NAME", help: "this feature only, and no trackers")
    private static let context = CommandOption(
        "--context", .text, "JSON",
        help: "what this context gets of each feature, instead of a read without one; stored assignments are not known")
    private static let trace = CommandOption(
        "--trace", .flag, help: "why each rule and experiment of a feature applies or does not")
    private static let all = CommandOption("--all", .flag, help: "built-in values too")

    static let command = ToolCommand(
        "explain", summary: "every setting of every tracker that a document gives, and which layer gives it",
        discussion: """
            Shows the rules of features in order too, and what a read or a context gets and why. The built-in tracker.appId is
            the name of the executable that asks. A FILE of - is standard input. If a service could not use FILE or the
            default, it says why on standard error, as validate does, and ends with 1.

            A context is a JSON object, for example
              {"units":{"userId":"u-1"},"country":"US","language":"en","attributes":{"plan":"pro"}}

            It may have overrides of its own, as {"overrides":{"variants":{"checkout_01":"fast"}}}; see Reading-Features.

            With --json, the object has version, trackers, removed, withoutEndpoint, warnings and, if there are any, features; with
            --trace, features have steps, and there are experiments.
            """,
        operands: [Operand("FILE", .file)],
        options: DefaultDocument.options + [namespace, field, feature, context, trace, all, Report.json, .color],
        action: run)

    private static func run(_ arguments: Arguments) async throws(CommandFailure) -> ExitStatus {
        let field = try arguments.text(Self.field).map { (name) throws(CommandFailure) in try canonicalField(name) }
        let context = try arguments.text(Self.context).map { (text) throws(CommandFailure) in try readContext(text) }
        let report = Report(arguments)
        let defaults = try DefaultDocument(arguments, report)
        guard let document = try report.document(arguments.operands[0]), let defaults else { return .findings }

        var explanation = ConfigurationExplanation(document, defaults, field: field)
        if let namespace = arguments.text(Self.namespace) {
            guard let only = explanation.only(namespace) else {
                let hint = namespace.closest(in: explanation.trackers.map { $0.namespace })
                throw .usage("the document gives no tracker '\(namespace)' and removes none\(suggestion(hint))")
            }
            explanation = only
        }
        let isWhole = arguments.isGiven(all) || field != nil
        let name = arguments.text(feature)
        let features = FeatureReport(
            document, defaults, context: context, feature: name, isTraced: arguments.isGiven(trace))
        if let name, features.isEmpty {
            let names = document.features.map(\.name) + defaults.configuration.features.map(\.name)
            throw .usage(
                "neither the document nor the default has a feature '\(name)'\(suggestion(name.closest(in: names)))")
        }
        var json = explanation.json
        var lines: [String] = []
        if name == nil { lines = explanation.lines(report.style, isWhole: isWhole) } else { json["trackers"] = [:] }
        if field == nil, !arguments.isGiven(Self.namespace), !features.isEmpty {
            json["features"] = features.json
            json["experiments"] = features.experiments
            lines += features.lines
        }
        report.show(json: json, lines: lines)
        return .success
    }

    private static func canonicalField(_ name: String) throws(CommandFailure) -> String {
        do throws(ConfigurationError) {
            return try AnySection.canonicalName(name)
        } catch {
            let names = TrackerLayers().explanations.map(\.field)
            throw .usage("unknown field '\(error.place)'\(suggestion(name.closest(in: names)))")
        }
    }

    private static func suggestion(_ name: String?) -> String { name.map { "; did you mean '\($0)'?" } ?? "" }

    private static func readContext(_ text: String) throws(CommandFailure) -> FeatureContext {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONReader.read(Array(text.utf8)).value
        } catch {
            throw .usage("--context cannot be read as JSON: \(error)")
        }
        guard let json = value.object else { throw .usage("--context takes a JSON object, not \(value.kind)") }
        do throws(ContextFault) {
            return try FeatureContext(json)
        } catch {
            throw .usage("--context: \(error)")
        }
    }
}
