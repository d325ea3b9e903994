import DocumentTools
import TrackerCommandLine
import TrackerConfig
import TrackerCore

/// `tracker-config explain`: the settings of each tracker of a document, and how its features are evaluated.
enum ExplainCommand {
    private static let namespace = CommandOption("--namespace", .text, "NAME", help: "show this tracker only")
    private static let field = CommandOption(
        "--field", .text, "SECTION.FIELD", help: "show this setting only, for example subject.userId")
    private static let feature = CommandOption(
        "--feature", .text, "NAME",
        help: "show this feature only, and why each source, rule and experiment decides its values or does not")
    private static let context = CommandOption(
        "--context", .text, "JSON",
        help:
            "show what this context gets of each feature, instead of a read without a context; stored assignments of a "
            + "service are not known here")
    private static let all = CommandOption("--all", .flag, help: "show built-in values too")

    static let command = ToolCommand(
        "explain",
        summary: "show each setting and feature in effect, and the layer, rule or experiment that decides it",
        discussion: """
            Lists the settings of each tracker with the layer that sets them, and the rules of each feature in order, with
            the values that a read or a context gets, and why. FILE - is standard input. If a service cannot use FILE or
            the default, the reasons are on standard error, as validate prints them, and the exit status is 1.

            A context is a JSON object, for example
              {"units":{"userId":"u-1"},"country":"US","attributes":{"plan":"pro"}}

            It can have overrides, for example {"overrides":{"variants":{"checkout_01":"fast"}}}.

            The object of --json has version, trackers, removed, withoutEndpoint, warnings and, if there are any, features.
            With --feature, the values have steps.
            """,
        operands: [Operand("FILE", .file)],
        options: DefaultDocument.options + [namespace, field, feature, context, all, Report.json, .color],
        examples: [
            CommandExample("Show what a document configures", "explain trackers.json"),
            CommandExample(
                "Show why a user gets a value",
                "explain trackers.json --feature checkout \\\n    --context '{\"units\":{\"userId\":\"u-1\"}}'"),
            CommandExample(
                "Show where one setting comes from",
                "explain trackers.json --default default.json \\\n    --field network.endpoint"),
        ], action: run)

    private static func run(_ arguments: Arguments) async throws(CommandFailure) -> ExitStatus {
        let field = try arguments.text(Self.field).map { (name) throws(CommandFailure) in try canonicalField(name) }
        let context = try arguments.text(Self.context).map { (text) throws(CommandFailure) in try readContext(text) }
        let report = Report(arguments)
        let defaults = try DefaultDocument(arguments, report)
        guard let document = try report.validated(arguments.operands[0]).document, let defaults else {
            return .findings
        }

        var explanation = ConfigurationExplanation(document, defaults, field: field)
        if let namespace = arguments.text(Self.namespace) {
            guard let only = explanation.only(namespace) else {
                let hint = namespace.closest(in: explanation.trackers.map { $0.namespace })
                throw CommandFailure(
                    .usage, "the document defines no tracker '\(namespace)' and removes none\(suggestion(hint))")
            }
            explanation = only
        }
        let isWhole = arguments.isGiven(all) || field != nil
        let name = arguments.text(feature)
        let features = FeatureReport(document, defaults, context: context, feature: name)
        if let name, features.isEmpty {
            let names = document.features.map(\.name) + defaults.configuration.features.map(\.name)
            throw CommandFailure(
                .usage,
                "neither the document nor the default has a feature '\(name)'\(suggestion(name.closest(in: names)))")
        }
        var json = explanation.json
        var lines: [String] = []
        if name == nil { lines = explanation.lines(report.style, isWhole: isWhole) } else { json["trackers"] = [:] }
        if field == nil, !arguments.isGiven(Self.namespace), !features.isEmpty {
            json["features"] = features.json
            lines += features.lines
        }
        report.show(json: json, lines: lines)
        return .success
    }

    private static func canonicalField(_ name: String) throws(CommandFailure) -> String {
        do throws(ConfigurationError) {
            return try ConfigurationBundle.canonicalName(name)
        } catch {
            let names = TrackerLayers().explanations.map(\.field)
            throw CommandFailure(.usage, "unknown field '\(error.place)'\(suggestion(name.closest(in: names)))")
        }
    }

    private static func suggestion(_ name: String?) -> String { name.map { "; did you mean '\($0)'?" } ?? "" }

    private static func readContext(_ text: String) throws(CommandFailure) -> FeatureContext {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONReader.read(Array(text.utf8)).value
        } catch {
            throw CommandFailure(.usage, "--context is not valid JSON: \(error)")
        }
        guard let json = value.object else {
            throw CommandFailure(.usage, "--context takes a JSON object, not \(value.kind)")
        }
        do throws(ContextFault) {
            return try FeatureContext(json)
        } catch {
            throw CommandFailure(.usage, "--context: \(error)")
        }
    }
}
