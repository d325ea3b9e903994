import DocumentImport
import DocumentTools
import TrackerCommandLine
import TrackerConfig
import TrackerCore

/// `tracker-config import`: converts an older system's file to a document.
enum ImportCommand {
    private static let from = CommandOption(
        "--from", .word(ImportFormat.allCases.map(\.rawValue)), "FORMAT", isRequired: true, help: "the format of FILE")
    private static let version = CommandOption(
        "--version", .integer(0...9_007_199_254_740_991), "N", builtIn: "1",
        help: "the configurationVersion of the document")
    private static let json = CommandOption.json(
        "print warnings and errors as one JSON object with file, format, errors and warnings")

    static let command = ToolCommand(
        "import", summary: "convert another system's file into a document",
        discussion: """
            Prints the document on standard output. Warnings on standard error name what cannot be converted and what has
            another meaning in a document, with line and column. The document has no trackers: add them to its
            configurationBundle. A comma before } or ] is ignored. FILE - is standard input. The exit status is 1 if FILE
            does not have the format, and 0 otherwise.

              msactiveconfig   sections of settings become features with variables
              justtweak        LocalTweaks become features with variables; each feature is
                               enabled, as in LocalTweakProvider
              rolloutmanager   JSON or a property list; experiments keep their ids as seeds.
                               Assignments that clients store are not in the file, so units
                               are assigned anew. An empty filter, "", excludes all units.
                               Variants lose their prefix: fast, not checkout_01_fast
              growthbook       the payload of an SDK connection becomes features with rules,
                               experiments and segments
            """,
        operands: [Operand("FILE", .file)], options: [from, version, json],
        examples: [
            CommandExample(
                "Convert the payload of GrowthBook", "import --from growthbook payload.json > trackers.json"),
            CommandExample("Convert a property list", "import --from rolloutmanager --version 7 Experiments.plist"),
        ], action: run)

    private static func run(_ arguments: Arguments) async throws(CommandFailure) -> ExitStatus {
        guard let name = arguments.text(from), let format = ImportFormat(rawValue: name) else {
            throw .usage("\(from.usage) is required")
        }
        let file = try InputFile(arguments.operands[0])
        var (errors, warnings): ([ConfigurationError], [ConfigurationError]) = ([], [])
        do throws(ConfigurationError) {
            let imported = try ImportedDocument(file.text, from: format, version: arguments.integer(Self.version) ?? 1)
            StandardStream.output.write(String(decoding: imported.text, as: UTF8.self))
            warnings = imported.warnings
        } catch { errors = [error] }
        if arguments.isGiven(json) {
            StandardStream.error.write([
                "file": .string(file.name), "format": .string(name), "errors": .array(errors.map(\.json)),
                "warnings": .array(warnings.map(\.json)),
            ])
        } else {
            let lines = errors.map { $0.line(file.name, "error") } + warnings.map { $0.line(file.name, "warning") }
            StandardStream.error.write(lines.map { "\($0)\n" }.joined())
        }
        return errors.isEmpty ? .success : .findings
    }
}
