import DocumentTools
import Foundation
import TrackerCommandLine
import TrackerConfig
import TrackerCore

/// `tracker-config import`: an older system's file as a document.
enum ImportCommand {
    static let help = """
        tracker-config import FILE --from FORMAT [options]: a document made of an older system's file

        Prints the document on standard output and, on standard error, what could not be carried over and what has another
        meaning, with its place. A comma before } or ] is passed over.
        The document has no trackers: add their bundles to its configurationBundle. Ends with 1 where FILE is no such
        format, else with 0. A FILE of - is standard input.

          --from msactiveconfig   sections of settings become features with variables
          --from justtweak        LocalTweaks: features with variables; each is enabled, as LocalTweakProvider has it
          --from rolloutmanager   JSON or a property list: experiments, with their ids as seeds; assignments that
                                  clients keep are not in the file, so units are assigned anew. A filter without a
                                  country or language, as "", is nobody. A variant is fast here, not checkout_01_fast
          --from growthbook       the payload of an SDK connection: features with rules, experiments, segments
          --version N             the document's configurationVersion, 1 if not given
          --json                  the report as one JSON object: file, format, errors, warnings
        """

    /// - Returns: The status to exit with.
    static func run(_ words: [String]) throws(UsageError) -> Int32 {
        let arguments = try Arguments(words, options: ["--from", "--version"], flags: ["--json"])
        if arguments.wantsHelp {
            print(help)
            return 0
        }
        guard arguments.operands.count == 1 else { throw UsageError("import needs one FILE") }
        guard let name = arguments.text("--from") else {
            throw UsageError("import needs --from, one of \(ImportFormat.names)")
        }
        let format = try ImportFormat(option: name)
        let version = try arguments.integer("--version", in: 0...2_147_483_647) ?? 1
        let file = try InputFile(arguments.operands[0])
        var errors: [Finding] = []
        var warnings: [Finding] = []
        do throws(ConfigurationError) {
            let imported = try ImportedDocument(file.text, from: format, version: version)
            if !StandardStream.output.write(String(decoding: imported.text, as: UTF8.self)) {
                let reason = "the document could not be written to standard output"
                errors = [Finding(place: "", reason: reason, position: nil, judge: .importer)]
            }
            warnings = imported.warnings.map { Finding($0, by: .importer) }
        } catch {
            errors = [Finding(place: error.place, reason: error.reason, position: error.position, judge: .importer)]
        }
        var lines = errors.map { $0.line(file.name, "error") } + warnings.map { $0.line(file.name, "warning") }
        if arguments.has("--json") {
            let report: JSONValue = [
                "file": .string(file.name), "format": .string(name), "errors": .array(errors.map(\.json)),
                "warnings": .array(warnings.map(\.json)),
            ]
            lines = ["\(report)"]
        }
        StandardStream.error.write(lines.map { "\($0)\n" }.joined())
        return errors.isEmpty ? 0 : 1
    }
}
