import DocumentImport
import DocumentTools
import TrackerCommandLine
import TrackerConfig
import TrackerCore

/// `tracker-config import`: an older system's file as a document.
enum ImportCommand {
    private static let from = ImportFormat.option(isRequired: true, help: "the format of FILE")
    private static let version = CommandOption(
        "--version", .integer(0...2_147_483_647), "N", builtIn: "1", help: "the document's configurationVersion")
    private static let json = CommandOption.json("the report as one JSON object: file, format, errors, warnings")

    static let command = ToolCommand(
        "import", summary: "makes a document of an older system's file",
        discussion: """
            Prints the document on standard output and, on standard error, what could not be carried over and what has another
            meaning, with its place. A comma before } or ] is passed over. The document has no trackers: add their bundles to
            its configurationBundle. Ends with 1 if FILE does not have the format, else with 0. A FILE of - is standard input.

              msactiveconfig   sections of settings become features with variables
              justtweak        LocalTweaks: features with variables; each is enabled, as LocalTweakProvider has it
              rolloutmanager   JSON or a property list: experiments, with their ids as seeds; assignments that clients
                               keep are not in the file, so units are assigned anew. A filter without a country or
                               language, as "", leaves all units out. A variant is fast here, not checkout_01_fast
              growthbook       the payload of an SDK connection: features with rules, experiments, segments
            """,
        operands: [Operand("FILE", .file)], options: [from, version, json], action: run)

    private static func run(_ arguments: Arguments) async throws(CommandFailure) -> ExitStatus {
        guard let name = arguments.text(from), let format = ImportFormat(rawValue: name) else {
            throw .usage("\(from.usage) is required")
        }
        let version = arguments.integer(Self.version) ?? 1
        let file = try InputFile(arguments.operands[0])
        var errors: [Finding] = []
        var warnings: [Finding] = []
        do throws(ConfigurationError) {
            let imported = try ImportedDocument(file.text, from: format, version: version)
            StandardStream.output.write(String(decoding: imported.text, as: UTF8.self))
            warnings = imported.warnings.map { Finding($0, by: .importer) }
        } catch {
            errors = [Finding(place: error.place, reason: error.reason, position: error.position, judge: .importer)]
        }
        var lines = errors.map { $0.line(file.name, "error") } + warnings.map { $0.line(file.name, "warning") }
        if arguments.isGiven(json) {
            let report: JSONValue = [
                "file": .string(file.name), "format": .string(name), "errors": .array(errors.map(\.json)),
                "warnings": .array(warnings.map(\.json)),
            ]
            lines = ["\(report)"]
        }
        StandardStream.error.write(lines.map { "\($0)\n" }.joined())
        return errors.isEmpty ? .success : .findings
    }
}
